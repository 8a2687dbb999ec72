// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.ResourceBundle;

/**
 * What rewritten shared classes call instead of looking something up where they come from: in a
 * process of its own they would find what is the job's, too, as one loader has all. Stateless,
 * thread-safe.
 */
public final class ClassCalls {
  private ClassCalls() {}

  /** {@code Class.forName}. */
  @Replaces(Class.class)
  public static Class<?> forName(String name) throws ClassNotFoundException {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      return Class.forName(name, true, LoaderCalls.ofJobOr(e));
    }
  }

  /** {@code ResourceBundle.getBundle}. */
  @Replaces(ResourceBundle.class)
  public static ResourceBundle getBundle(String name) {
    return getBundle(name, Locale.getDefault());
  }

  /** {@code ResourceBundle.getBundle}. */
  @Replaces(ResourceBundle.class)
  public static ResourceBundle getBundle(String name, Locale locale) {
    try {
      return ResourceBundle.getBundle(name, locale);
    } catch (MissingResourceException e) {
      return ResourceBundle.getBundle(name, locale, LoaderCalls.ofJobOr(e));
    }
  }

  /** {@code new ObjectInputStream(in)}. */
  @Replaces(value = ObjectInputStream.class, constructor = true)
  public static ObjectInputStream objectInputStream(InputStream in) throws IOException {
    return new TaskObjectInputStream(in);
  }

  /** What only subclasses call. */
  @Replaces(value = ObjectInputStream.class, constructor = true)
  public static ObjectInputStream objectInputStream() throws IOException {
    return new TaskObjectInputStream();
  }
}
