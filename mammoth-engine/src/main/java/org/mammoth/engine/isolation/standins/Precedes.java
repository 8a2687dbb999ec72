// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a static void method that rewritten code calls before any method of a class and name, which
 * is then called as ever, for those that ask the JVM who calls them. It takes nothing, or what the
 * call's last argument is.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Precedes {
  /** The class whose methods these are. */
  Class<?> value();

  /** Their names. */
  String[] names();
}
