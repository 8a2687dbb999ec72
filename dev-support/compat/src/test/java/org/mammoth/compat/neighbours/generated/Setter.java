// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.generated;

/**
 * A public static method that changes something.
 *
 * @param owner its class's name in source, nested ones behind a dot
 * @param name its name
 * @param parameters its parameters' types in source
 * @param getter a public static method without parameters that tells what was set; null if there is
 *     none
 * @param plain whether the getter answers with a primitive, a String or an enum, so that two
 *     processes' answers can be compared as text
 */
public record Setter(
    String owner, String name, java.util.List<String> parameters, String getter, boolean plain) {
  @Override
  public String toString() {
    return owner + "." + name + "(" + String.join(", ", parameters) + ")";
  }
}
