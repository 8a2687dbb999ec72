package org.mammoth.mapreduce.engine;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;

/**
 * A class of Hadoop's that is not loaded yet, so that it can be defined otherwise.
 *
 * @param neighbour a class of the same package that may be loaded
 * @param name of the class, without the package
 */
record UpstreamClass(Class<?> neighbour, String name) {

  /** The class as it was compiled. */
  byte[] code() throws IOException {
    try (InputStream in = neighbour.getResourceAsStream(name + ".class")) {
      if (in == null) {
        throw new IOException("there is no " + name + " beside " + neighbour);
      }
      return in.readAllBytes();
    }
  }

  /**
   * Loads the class with other code.
   *
   * @throws LinkageError if it is loaded already, or the code is no class
   */
  void define(byte[] code) throws IllegalAccessException {
    MethodHandles.privateLookupIn(neighbour, MethodHandles.lookup()).defineClass(code);
  }
}
