// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.generated;

/**
 * A static field of a class that engines share.
 *
 * @param owner its class's binary name
 * @param name its name
 */
public record StaticField(String owner, String name) {
  @Override
  public String toString() {
    return owner + "." + name;
  }
}
