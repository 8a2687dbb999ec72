// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.parts;

import java.net.URI;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** The local file system under the scheme {@code rot}. */
public final class RotFileSystem extends RawLocalFileSystem {
  @Override
  public String getScheme() {
    return "rot";
  }

  @Override
  public URI getUri() {
    return URI.create("rot:///");
  }
}
