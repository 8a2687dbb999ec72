// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.natives;

import com.sun.jna.Library;
import com.sun.jna.Native;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Calls the C library by JNA, which Hadoop brings: environment and working folder of the process.
 */
final class LibcKeeper implements Keeper {
  private final Map<String, Long> counts = new HashMap<>();
  private final Libc libc = Native.load("c", Libc.class);

  /** What is called. */
  public interface Libc extends Library {
    /** As in C. */
    int setenv(String name, String value, int overwrite);

    /** As in C. */
    String getenv(String name);

    /** As in C. */
    int mkdir(String path, int mode);
  }

  LibcKeeper() throws IOException {
    if (libc.getenv("NATIVE_WORDS") != null) {
      throw new IOException("another task has set NATIVE_WORDS: " + libc.getenv("NATIVE_WORDS"));
    }
    libc.setenv("NATIVE_WORDS", "set", 1);
    if (libc.mkdir("words.libc", 0700) != 0 || !Files.exists(Path.of("words.libc"))) {
      throw new IOException("mkdir did not make the folder in the task's working folder");
    }
  }

  @Override
  public long add(String word) {
    return counts.merge(word, (long) libc.getenv("NATIVE_WORDS").length() - 2, Long::sum);
  }

  @Override
  public void close() {}
}
