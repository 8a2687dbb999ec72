// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a static method as standing for a member of a class of the JDK or Hadoop in rewritten code.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Replaces {
  /** The class whose member is replaced. */
  Class<?> value();

  /** The member's name when our method has another. */
  String name() default "";

  /** Whether the member is an instance method, its receiver our first parameter. */
  boolean receiver() default false;

  /** Whether the member is a static field of our method's name, read. */
  boolean field() default false;

  /** Whether the member is a constructor. */
  boolean constructor() default false;
}
