// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.util.NoSuchElementException;
import org.codehaus.stax2.util.StreamReader2Delegate;

/**
 * Tells a document again that was parsed before. It answers what upstream's {@code Configuration}
 * asks a parser, and that class alone is given it. One thread at a time.
 */
final class TokenReplay extends StreamReader2Delegate {

  private final XmlTokens tokens;
  private int at = -1;

  TokenReplay(XmlTokens tokens) {
    super(null);
    this.tokens = tokens;
  }

  @Override
  public boolean hasNext() {
    return at + 1 < tokens.types().length;
  }

  @Override
  public int next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the document has ended");
    }
    return tokens.types()[++at];
  }

  @Override
  public String getLocalName() {
    return tokens.values()[at] instanceof XmlTokens.Start start
        ? start.name()
        : (String) tokens.values()[at];
  }

  private String[] attributes() {
    return ((XmlTokens.Start) tokens.values()[at]).attributes();
  }

  @Override
  public int getAttributeCount() {
    return attributes().length / 2;
  }

  @Override
  public String getAttributeLocalName(int index) {
    return attributes()[2 * index];
  }

  @Override
  public String getAttributeValue(int index) {
    return attributes()[2 * index + 1];
  }

  private String text() {
    return (String) tokens.values()[at];
  }

  @Override
  public char[] getTextCharacters() {
    return text().toCharArray();
  }

  @Override
  public int getTextStart() {
    return 0;
  }

  @Override
  public int getTextLength() {
    return text().length();
  }

  @Override
  public void close() {}
}
