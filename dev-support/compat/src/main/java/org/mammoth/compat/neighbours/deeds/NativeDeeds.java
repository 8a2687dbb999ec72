// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.deeds;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.mammoth.compat.neighbours.Deed;
import org.mammoth.compat.neighbours.Hostile;

/** Programs with native code. */
public final class NativeDeeds {
  private NativeDeeds() {}

  @Hostile(value = "loads a native library that it has unpacked", about = "native")
  static final class NativeLibrary implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return load("libmlib_image.so");
    }
  }

  @Hostile(
      value = "loads a native library that opens files",
      about = "native",
      mayNeedProcess = true)
  static final class NativeFiles implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return load("libprefs.so");
    }
  }

  private static String load(String libraryOfJdk) throws IOException {
    Path own = Files.createTempFile("libhostile", ".so");
    Path ofJdk = Path.of(System.getProperty("java.home"), "lib", libraryOfJdk);
    Files.copy(ofJdk, own, StandardCopyOption.REPLACE_EXISTING);
    System.load(own.toString());
    return "loaded";
  }

  @Hostile(value = "looks for a native library that is not there", about = "native")
  static final class MissingLibrary implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      try {
        System.loadLibrary("hostile");
        return "loaded";
      } catch (UnsatisfiedLinkError e) {
        return e.getMessage().substring(0, 31);
      }
    }
  }
}
