package org.mammoth.census;

import org.objectweb.asm.Type;

/**
 * What the rules say of a static field.
 *
 * @param category why it needs no judgement, or why it does
 */
record Finding(FieldInfo field, Category category, String jar) {

  boolean isOpen() {
    return category.isOpen();
  }

  Item item() {
    String type = Type.getType(field.descriptor()).getClassName();
    return new Item(field.owner(), field.name(), jar, type, category.word());
  }
}
