// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.parts;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.DefaultCodec;

/** Reads files named x.rot by turning each letter by thirteen places. */
public final class RotCodec extends DefaultCodec {
  @Override
  public String getDefaultExtension() {
    return ".rot";
  }

  @Override
  public CompressionInputStream createInputStream(InputStream in) throws IOException {
    InputStream turned =
        new FilterInputStream(in) {
          @Override
          public int read() throws IOException {
            int next = super.read();
            return next < 0 ? next : turn(next);
          }

          @Override
          public int read(byte[] into, int from, int length) throws IOException {
            int count = super.read(into, from, length);
            for (int i = from; i < from + count; i++) {
              into[i] = (byte) turn(into[i]);
            }
            return count;
          }
        };
    return new CompressionInputStream(turned) {
      @Override
      public int read() throws IOException {
        return in.read();
      }

      @Override
      public int read(byte[] into, int from, int length) throws IOException {
        return in.read(into, from, length);
      }

      @Override
      public void resetState() {}
    };
  }

  @Override
  public CompressionInputStream createInputStream(InputStream in, Decompressor decompressor)
      throws IOException {
    return createInputStream(in);
  }

  private static int turn(int letter) {
    if (letter >= 'a' && letter <= 'z') {
      return 'a' + (letter - 'a' + 13) % 26;
    }
    return letter;
  }
}
