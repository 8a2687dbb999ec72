// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

/**
 * What the census lists: a static field, or a call that changes the JVM.
 *
 * @param owner internal name of the class
 * @param name of the field; of a call, what is called: {@code System.setProperty()}
 * @param jar the file it comes from
 * @param type of a field, as source code names it
 * @param kind what the rules find it to be
 */
record Item(String owner, String name, String jar, String type, Kind kind) {

  /** The class as source code names it, but with $ before nested ones. */
  String className() {
    return owner.replace('/', '.');
  }

  /** A jar's name without version, which a rebase changes. */
  static String jarName(String file) {
    return file.replaceFirst("-\\d[\\w.]*?(-\\w+)?\\.jar$", "$1");
  }

  String jarName() {
    return jarName(jar);
  }

  /** Whether it is of a class of this project. */
  boolean isOurs() {
    return isOurs(owner);
  }

  static boolean isOurs(String className) {
    return className.replace('/', '.').startsWith("org.mammoth.");
  }

  String id() {
    return className() + '.' + name;
  }

  /** A line of a listing. */
  String line() {
    return String.join("\t", kind.word(), jarName(), id(), type);
  }
}
