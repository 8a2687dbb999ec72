// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a static void method that rewritten code calls with what any method of a class and name has
 * answered, or with what any constructor has made.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Follows {
  /** The class whose methods these are. */
  Class<?> value();

  /** Their names; {@code <init>} for constructors. */
  String[] names();
}
