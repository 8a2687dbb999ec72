// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a static method that rewritten code calls before an instance method of the JDK, with all
 * that is on the stack for it: the object that is called, and the arguments. It answers with what
 * the method is to be called with instead. The call itself stays in the caller's class, for methods
 * that ask the JVM who calls them.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Redirects {
  /** The class whose methods these are. */
  Class<?> value();

  /** Their names, when our method has another. */
  String[] names() default {};
}
