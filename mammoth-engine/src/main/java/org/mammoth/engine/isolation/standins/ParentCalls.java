// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins;

import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLStreamHandlerFactory;
import java.util.Arrays;
import java.util.Set;
import org.objectweb.asm.Type;

/**
 * What rewritten code calls as it makes a class loader: one above which a process has the loader of
 * all its classes gets the task's above it, which has the job's, too. Stateless, thread-safe.
 */
public final class ParentCalls {
  /** Those whose constructors take a loader, or take the system's for want of one. */
  private static final Set<String> LOADERS =
      Set.of("java/lang/ClassLoader", "java/net/URLClassLoader", "java/security/SecureClassLoader");

  private static final String LOADER = Type.getDescriptor(ClassLoader.class);

  private ParentCalls() {}

  /**
   * Whether constructors of a class, by its internal name, may take the parent of a class loader.
   */
  public static boolean isLoader(String owner) {
    return LOADERS.contains(owner);
  }

  /**
   * How many arguments come after a constructor's loader; -1 if it takes none.
   *
   * @throws IllegalStateException if there are more than the JDK has, which nobody can swap
   */
  public static int afterParent(Type... arguments) {
    for (int i = 0; i < arguments.length; i++) {
      if (arguments[i].getDescriptor().equals(LOADER)) {
        int after = arguments.length - 1 - i;
        if (after > 1) {
          throw new IllegalStateException("a class loader is made with " + after + " more");
        }
        return after;
      }
    }
    return -1;
  }

  /** What a loader is made with that is given none. */
  public static ClassLoader parent() {
    return LoaderCalls.getSystemClassLoader();
  }

  /** What a loader is made with that is given this one. */
  public static ClassLoader parent(ClassLoader given) {
    return LoaderCalls.asProcess(given);
  }

  /** The constructor to call by reflection in place of this one, which makes a loader of URLs. */
  public static Constructor<?> withParent(Constructor<?> constructor) {
    if (constructor.getParameterCount() > 1) {
      return constructor;
    }
    try {
      return URLClassLoader.class.getConstructor(URL[].class, ClassLoader.class);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What that one is called with. */
  public static Object[] withParent(Constructor<?> constructor, Object[] arguments) {
    Object[] all = Arrays.copyOf(arguments, Math.max(2, arguments.length));
    Class<?>[] types = constructor.getParameterTypes();
    if (types.length == 1) {
      all[1] = parent();
    }
    for (int i = 0; i < types.length; i++) {
      if (types[i] == ClassLoader.class && (all[i] == null || all[i] instanceof ClassLoader)) {
        all[i] = parent((ClassLoader) all[i]);
      }
    }
    return all;
  }

  /** {@code URLClassLoader.newInstance}. */
  @Replaces(URLClassLoader.class)
  public static URLClassLoader newInstance(URL[] urls) {
    return URLClassLoader.newInstance(urls, parent());
  }

  /** {@code URLClassLoader.newInstance}. */
  @Replaces(URLClassLoader.class)
  public static URLClassLoader newInstance(URL[] urls, ClassLoader given) {
    return URLClassLoader.newInstance(urls, parent(given));
  }

  @Replaces(value = URLClassLoader.class, constructor = true)
  public static URLClassLoader newLoader(URL[] urls) {
    return new URLClassLoader(urls, parent());
  }

  @Replaces(value = URLClassLoader.class, constructor = true)
  public static URLClassLoader newLoader(URL[] urls, ClassLoader given) {
    return new URLClassLoader(urls, parent(given));
  }

  @Replaces(value = URLClassLoader.class, constructor = true)
  public static URLClassLoader newLoader(
      URL[] urls, ClassLoader given, URLStreamHandlerFactory factory) {
    return new URLClassLoader(urls, parent(given), factory);
  }

  @Replaces(value = URLClassLoader.class, constructor = true)
  public static URLClassLoader newLoader(String name, URL[] urls, ClassLoader given) {
    return new URLClassLoader(name, urls, parent(given));
  }

  @Replaces(value = URLClassLoader.class, constructor = true)
  public static URLClassLoader newLoader(
      String name, URL[] urls, ClassLoader given, URLStreamHandlerFactory factory) {
    return new URLClassLoader(name, urls, parent(given), factory);
  }
}
