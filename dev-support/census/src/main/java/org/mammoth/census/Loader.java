package org.mammoth.census;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** Gives the files of the census's classes to the engine's rewriter, and no classes. */
final class Loader extends ClassLoader {

  private static final String SUFFIX = ".class";

  private final ClassFiles files;

  Loader(ClassFiles files) {
    super(Loader.class.getClassLoader());
    this.files = files;
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    byte[] code =
        name.endsWith(SUFFIX)
            ? files.code(name.substring(0, name.length() - SUFFIX.length()))
            : null;
    return code == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(code);
  }
}
