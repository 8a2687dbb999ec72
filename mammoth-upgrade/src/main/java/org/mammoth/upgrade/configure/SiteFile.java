// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.configure;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * One of Hadoop's site files, to be written anew: keys that are set go to its end, keys that are
 * taken out go with the comment above them, all else stays as it is.
 */
final class SiteFile {

  private final Document document;
  private final Map<String, String> set = new LinkedHashMap<>();

  private SiteFile(Document document) {
    this.document = document;
  }

  /**
   * Reads one.
   *
   * @throws IOException if it is no configuration; the message names it
   */
  static SiteFile read(Path file) throws IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
      return new SiteFile(factory.newDocumentBuilder().parse(file.toFile()));
    } catch (SAXException | ParserConfigurationException e) {
      throw new IOException(file + " is no configuration: " + e.getMessage(), e);
    }
  }

  /** Gives a key this value, whatever it was. */
  SiteFile set(String key, String value) {
    remove(key);
    set.put(key, value);
    return this;
  }

  /** Takes keys out, so that upstream's defaults hold. */
  SiteFile remove(String... keys) {
    for (String key : keys) {
      set.remove(key);
      Node next;
      for (Node node = document.getDocumentElement().getFirstChild(); node != null; node = next) {
        next = node.getNextSibling();
        if (isProperty(node, key)) {
          removeWithComment(node);
        }
      }
    }
    return this;
  }

  private static boolean isProperty(Node node, String key) {
    return node instanceof Element property
        && property.getTagName().equals("property")
        && property.getElementsByTagName("name").getLength() == 1
        && property.getElementsByTagName("name").item(0).getTextContent().trim().equals(key);
  }

  private static void removeWithComment(Node property) {
    Node parent = property.getParentNode();
    Node before = property.getPreviousSibling();
    parent.removeChild(property);
    while (before != null && isBlank(before)) {
      Node further = before.getPreviousSibling();
      parent.removeChild(before);
      before = further;
    }
    if (before != null && before.getNodeType() == Node.COMMENT_NODE) {
      Node blank = before.getPreviousSibling();
      parent.removeChild(before);
      if (blank != null && isBlank(blank)) {
        parent.removeChild(blank);
      }
    }
  }

  private static boolean isBlank(Node node) {
    return node.getNodeType() == Node.TEXT_NODE && node.getTextContent().isBlank();
  }

  /**
   * Writes it.
   *
   * @param comment stands above the keys that were set
   */
  void write(Path file, String comment) throws IOException {
    Element root = document.getDocumentElement();
    while (root.getLastChild() != null && isBlank(root.getLastChild())) {
      root.removeChild(root.getLastChild());
    }
    if (!set.isEmpty()) {
      root.appendChild(document.createTextNode("\n\n  "));
      root.appendChild(document.createComment(" " + comment + " "));
    }
    set.forEach(
        (key, value) -> {
          Element property = document.createElement("property");
          property.appendChild(document.createTextNode("\n    "));
          property.appendChild(document.createElement("name")).setTextContent(key);
          property.appendChild(document.createTextNode("\n    "));
          property.appendChild(document.createElement("value")).setTextContent(value);
          property.appendChild(document.createTextNode("\n  "));
          root.appendChild(document.createTextNode("\n  "));
          root.appendChild(property);
        });
    root.appendChild(document.createTextNode("\n"));
    try (Writer out = Files.newBufferedWriter(file)) {
      Transformer transformer = TransformerFactory.newInstance().newTransformer();
      transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
      out.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
      // One by one, as what stands above the root would all be on its line.
      for (Node top = document.getFirstChild(); top != null; top = top.getNextSibling()) {
        transformer.transform(new DOMSource(top), new StreamResult(out));
        out.write("\n");
      }
    } catch (TransformerException e) {
      throw new IOException(file + " cannot be written: " + e.getMessage(), e);
    }
  }
}
