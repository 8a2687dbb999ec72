// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.libraries;

import java.io.IOException;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.SAXParser;
import org.mammoth.engine.isolation.standins.Replaces;
import org.mammoth.engine.isolation.standins.files.NameCalls;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;
import org.xml.sax.XMLReader;
import org.xml.sax.helpers.DefaultHandler;

/**
 * What rewritten code calls instead of reading XML by a name, which the JDK resolves against the
 * JVM's folder. Stateless, thread-safe.
 */
public final class XmlCalls {
  private XmlCalls() {}

  /** {@code DocumentBuilder.parse}. */
  @Replaces(value = DocumentBuilder.class, receiver = true)
  public static Document parse(DocumentBuilder builder, String id)
      throws IOException, SAXException {
    return builder.parse(NameCalls.systemId(id));
  }

  /** {@code SAXParser.parse}. */
  @Replaces(value = SAXParser.class, receiver = true)
  public static void parse(SAXParser parser, String id, DefaultHandler handler)
      throws IOException, SAXException {
    parser.parse(NameCalls.systemId(id), handler);
  }

  /** {@code XMLReader.parse}. */
  @Replaces(value = XMLReader.class, receiver = true)
  public static void parse(XMLReader reader, String id) throws IOException, SAXException {
    reader.parse(NameCalls.systemId(id));
  }
}
