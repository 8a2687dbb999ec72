// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.parts;

import java.nio.file.Path;
import java.nio.file.spi.FileTypeDetector;
import org.mammoth.compat.neighbours.Deed;

/** Knows what type of file x.hostile is. */
public final class MarkTypes extends FileTypeDetector {
  @Override
  public String probeContentType(Path path) {
    return path.toString().endsWith(".hostile") ? Deed.MARK : null;
  }
}
