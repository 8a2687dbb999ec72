package org.mammoth.census;

/**
 * What is to be judged: a static field, a method of the JDK, or a call of one.
 *
 * @param owner internal name of the class
 * @param name of the field or method; of a call, what is called
 * @param jar the file it comes from
 * @param type of a field, as source code names it
 * @param kind why it is open
 */
record Item(String owner, String name, String jar, String type, String kind) {

  /** The class as source code names it, but with $ before nested ones. */
  String className() {
    return owner.replace('/', '.');
  }

  /** A jar's name without version: a rebase changes that. */
  static String jarName(String file) {
    return file.replaceFirst("-\\d[\\w.]*?(-\\w+)?\\.jar$", "$1");
  }

  String id() {
    return className() + '.' + name;
  }
}
