// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

/**
 * A whole document as its parser told of it, as far as upstream's {@code Configuration} asks. Never
 * changed.
 *
 * @param types of {@code XMLStreamConstants}, the last of them the document's end
 * @param values of each: a {@link Start}, the name of an element that ends, a text that was asked
 *     for, or null
 * @param characters in all names and texts; 1 at least
 */
record XmlTokens(byte[] types, Object[] values, int characters) {

  /** An element begins, with the local names and values of its attributes in turn. */
  record Start(String name, String[] attributes) {}
}
