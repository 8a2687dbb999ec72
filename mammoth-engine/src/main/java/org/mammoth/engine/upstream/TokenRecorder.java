// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.codehaus.stax2.util.StreamReader2Delegate;

/**
 * A parser's tokens, noted as upstream's {@code Configuration} reads them, with the texts that it
 * asks for: which ones depends on the tokens alone. A document that is read to its end is handed
 * on; one that breaks off, or whose tokens depend on other documents, is not. One thread at a time.
 */
final class TokenRecorder extends StreamReader2Delegate {

  /** An element that has upstream read another file. */
  private static final String INCLUDE = "include";

  private final Consumer<XmlTokens> whole;
  private final ByteArrayOutputStream types = new ByteArrayOutputStream();
  private final List<Object> values = new ArrayList<>();

  /** Names come again and again. */
  private final Map<String, String> known = new HashMap<>();

  private int characters = 1;
  private boolean alone = true;

  TokenRecorder(XMLStreamReader2 parser, Consumer<XmlTokens> whole) {
    super(parser);
    this.whole = whole;
  }

  @Override
  public int next() throws XMLStreamException {
    int type = super.next();
    types.write(type);
    values.add(value(type));
    if (type == XMLStreamConstants.END_DOCUMENT && alone) {
      whole.accept(new XmlTokens(types.toByteArray(), values.toArray(), characters));
    }
    return type;
  }

  private Object value(int type) {
    switch (type) {
      case XMLStreamConstants.START_ELEMENT:
        alone &= !getLocalName().equals(INCLUDE);
        return start();
      case XMLStreamConstants.END_ELEMENT:
        return once(getLocalName());
      case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE:
        alone = false;
        return null;
      default:
        return null;
    }
  }

  /** A text is parsed when it is asked for, and what is wrong with it is found then. */
  @Override
  public char[] getTextCharacters() {
    char[] text = super.getTextCharacters();
    values.set(values.size() - 1, once(new String(text, getTextStart(), getTextLength())));
    return text;
  }

  private XmlTokens.Start start() {
    String[] attributes = new String[2 * getAttributeCount()];
    for (int i = 0; i < attributes.length; i += 2) {
      attributes[i] = once(getAttributeLocalName(i / 2));
      attributes[i + 1] = once(getAttributeValue(i / 2));
    }
    return new XmlTokens.Start(once(getLocalName()), attributes);
  }

  private String once(String text) {
    String before = known.putIfAbsent(text, text);
    if (before == null) {
      characters += text.length();
      return text;
    }
    return before;
  }
}
