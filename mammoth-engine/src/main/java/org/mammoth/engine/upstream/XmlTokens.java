// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

/**
 * A whole document as its parser told of it, as far as upstream's {@code Configuration} asks.
 * Immutable.
 */
final class XmlTokens {

  /** An element begins, with the local names and values of its attributes in turn. */
  record Start(String name, String[] attributes) {}

  private final byte[] types;
  private final Object[] values;
  private final int characters;

  /**
   * @param types of {@code XMLStreamConstants}, the last of them the document's end
   * @param values of each: a {@link Start}, the name of an element that ends, a text that was asked
   *     for, or null
   * @param characters in all names and texts; 1 at least
   */
  XmlTokens(byte[] types, Object[] values, int characters) {
    this.types = types;
    this.values = values;
    this.characters = characters;
  }

  int count() {
    return types.length;
  }

  int type(int token) {
    return types[token];
  }

  Object value(int token) {
    return values[token];
  }

  int characters() {
    return characters;
  }
}
