// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.parts;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.charset.spi.CharsetProvider;
import java.util.Collections;
import java.util.Iterator;
import org.mammoth.compat.neighbours.Deed;

/** UTF-8 under one more name. */
public final class MarkCharsets extends CharsetProvider {
  @Override
  public Iterator<Charset> charsets() {
    return Collections.emptyIterator();
  }

  @Override
  public Charset charsetForName(String name) {
    return name.equals(Deed.MARK) ? StandardCharsets.UTF_8 : null;
  }
}
