// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.io;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Directories that are bad or full when the test says so. */
final class FakeProbe implements DirProbe {

  final Map<Path, String> bad = new HashMap<>();
  final Map<Path, Long> usable = new HashMap<>();
  int tries;

  @Override
  public void tryFile(Path dir) throws IOException {
    tries++;
    if (bad.containsKey(dir)) {
      throw new IOException(bad.get(dir));
    }
  }

  @Override
  public long usableBytes(Path dir) {
    return usable.getOrDefault(dir, Long.MAX_VALUE);
  }
}
