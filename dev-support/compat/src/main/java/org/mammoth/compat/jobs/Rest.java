// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.io.WritableComparable;

/**
 * A text whose bytes do not say where they end: it is read to the end of the stream that it is
 * given, in one of several ways, some of which read ahead. Of an empty text there are no bytes.
 */
public final class Rest implements WritableComparable<Rest> {

  private enum Way {
    TO_THE_END,
    AVAILABLE,
    BUFFERED,
    LINE,
    ZIPPED
  }

  private String text = "";

  /** For Hadoop's reflection. */
  public Rest() {}

  Rest(String text) {
    this.text = text;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    if (text.isEmpty()) {
      return;
    }
    Way way = Way.values()[Math.floorMod(text.hashCode(), Way.values().length)];
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (way == Way.ZIPPED) {
      ByteArrayOutputStream zipped = new ByteArrayOutputStream();
      try (GZIPOutputStream zip = new GZIPOutputStream(zipped)) {
        zip.write(bytes);
      }
      bytes = zipped.toByteArray();
    }
    out.write(way.ordinal());
    out.write(bytes);
  }

  @Override
  public void readFields(DataInput from) throws IOException {
    // both interfaces give this, and programs count on it
    DataInputStream in = (DataInputStream) from;
    int way = in.read();
    text = way < 0 ? "" : new String(bytes(in, Way.values()[way]), StandardCharsets.UTF_8);
  }

  @SuppressWarnings("deprecation") // as old programs do
  private static byte[] bytes(DataInputStream in, Way way) throws IOException {
    return switch (way) {
      case TO_THE_END -> in.readAllBytes();
      case AVAILABLE -> {
        byte[] bytes = new byte[in.available()];
        in.readFully(bytes);
        yield bytes;
      }
      case BUFFERED -> new BufferedInputStream(in).readAllBytes();
      case LINE -> in.readLine().getBytes(StandardCharsets.ISO_8859_1);
      case ZIPPED -> new GZIPInputStream(in).readAllBytes();
    };
  }

  @Override
  public int compareTo(Rest other) {
    return text.compareTo(other.text);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Rest rest && text.equals(rest.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
