// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Function;

/** Has a class of Hadoop's rewritten, and of our classes its own; all others are those of tests. */
final class RewritingLoader extends ClassLoader {

  private final String rewritten;
  private final Function<byte[], Optional<byte[]>> rewrite;

  /** One that rewrites the class of a name. */
  RewritingLoader(String rewritten, Function<byte[], Optional<byte[]>> rewrite) {
    super(RewritingLoader.class.getClassLoader());
    this.rewritten = rewritten;
    this.rewrite = rewrite;
  }

  /** The class as it was compiled. */
  static byte[] code(String name) throws IOException {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = RewritingLoader.class.getClassLoader().getResourceAsStream(file)) {
      return in.readAllBytes();
    }
  }

  /** An object of this loader's class of the same name; it has a constructor without arguments. */
  Object make(Class<?> like) {
    try {
      return loadClass(like.getName()).getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    boolean isOurs = name.startsWith(FastLines.class.getPackageName() + ".");
    // classes within the rewritten one use what others may not
    if (!isOurs && !name.equals(rewritten) && !name.startsWith(rewritten + "$")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      try {
        byte[] code = code(name);
        byte[] defined = name.equals(rewritten) ? rewrite.apply(code).orElseThrow() : code;
        return defineClass(name, defined, 0, defined.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
