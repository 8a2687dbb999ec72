// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says what a {@link Deed} does and what its job needs. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Hostile {
  /** What it does, one clause; the table in the documentation is made of it. */
  String value();

  /** The item of the census or of the issue that it stands for, such as {@code jdk-setter}. */
  String about();

  /** Whether its task may need a process of its own; false where it must run in an engine. */
  boolean mayNeedProcess() default false;

  /** Whether its process ends by it, so that its job fails. */
  boolean ends() default false;

  /** Entries below META-INF/services of its jar: {@code interface=class}. */
  String[] services() default {};

  /** Configuration of its job: {@code key=value}. */
  String[] settings() default {};

  /** A class that reaches the task in a jar of {@code -libjars} and not in the job's own. */
  Class<?>[] library() default {};

  /** Names of small files that are put on the class path by {@code addFileToClassPath}. */
  String[] classPathFiles() default {};
}
