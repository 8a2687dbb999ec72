// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;

/** Defines deeds itself, from the files that the job's own loader finds, as plugins' loaders do. */
final class DeedLoader extends ClassLoader {
  private static final Pattern DEEDS =
      Pattern.compile(Pattern.quote(Deed.class.getPackageName()) + "\\.(deeds|generated)\\..*");

  DeedLoader(ClassLoader job) {
    super(job);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!DEEDS.matcher(name).matches()) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] code = in.readAllBytes();
      return defineClass(name, code, 0, code.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
