package org.mammoth.census;

/**
 * What the rules say of a static field.
 *
 * @param category why it needs no judgement, or why it does
 */
record Finding(FieldInfo field, Category category, String jar) {

  boolean isOpen() {
    return category.isOpen();
  }

  String id() {
    return field.id();
  }
}
