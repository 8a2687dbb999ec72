package org.mammoth.census;

/** A method of the JDK that changes, or may change, what all code of a JVM sees. */
record JdkMethod(String owner, String name, String descriptor, boolean isStatic)
    implements Comparable<JdkMethod> {

  /** {@code package.Class.method}: overloads are judged together. */
  String id() {
    return owner.replace('/', '.') + '.' + name;
  }

  @Override
  public int compareTo(JdkMethod other) {
    return (id() + descriptor).compareTo(other.id() + other.descriptor);
  }
}
