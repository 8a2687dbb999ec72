// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.diff;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.SequenceFile;

/**
 * Compares two output folders: the same names, and the same bytes under each name.
 *
 * <p>Sequence files carry a random marker; they must agree in types, compression, codec, metadata
 * and in the serialised bytes of every record instead.
 */
public final class OutputDiff {
  private static final int SHOWN = 120;

  private final FileSystem fs;
  private final Configuration conf;
  private final Pattern passedOver;
  private final boolean sorted;

  /**
   * Reads through the given file system; the configuration's class loader must know the types of
   * sequence files.
   */
  public OutputDiff(FileSystem fs, Configuration conf) {
    this(fs, conf, null);
  }

  /** As the other; what {@code passedOver} finds in files of text is not compared, unless null. */
  public OutputDiff(FileSystem fs, Configuration conf, Pattern passedOver) {
    this(fs, conf, passedOver, false);
  }

  private OutputDiff(FileSystem fs, Configuration conf, Pattern passedOver, boolean sorted) {
    this.fs = fs;
    this.conf = conf;
    this.passedOver = passedOver;
    this.sorted = sorted;
  }

  /** The same for files of text whose lines may come in any order. */
  public OutputDiff ofLinesInAnyOrder() {
    return new OutputDiff(fs, conf, passedOver, true);
  }

  /** What differs, one line per file, empty if nothing does. */
  public List<String> compare(Path left, Path right) throws IOException {
    Map<String, FileStatus> leftFiles = files(left);
    Map<String, FileStatus> rightFiles = files(right);
    if (!leftFiles.keySet().equals(rightFiles.keySet())) {
      return List.of(
          "file names differ: "
              + left
              + " has "
              + leftFiles.keySet()
              + ", "
              + right
              + " has "
              + rightFiles.keySet());
    }
    List<String> differences = new ArrayList<>();
    for (Map.Entry<String, FileStatus> file : leftFiles.entrySet()) {
      String difference =
          difference(file.getValue().getPath(), rightFiles.get(file.getKey()).getPath());
      if (difference != null) {
        differences.add(file.getKey() + ": " + difference);
      }
    }
    return differences;
  }

  /** All files below a folder by their name relative to it. */
  public Map<String, FileStatus> files(Path folder) throws IOException {
    Map<String, FileStatus> files = new TreeMap<>();
    String root = fs.makeQualified(folder).toUri().getPath();
    RemoteIterator<LocatedFileStatus> each = fs.listFiles(folder, true);
    while (each.hasNext()) {
      FileStatus file = each.next();
      files.put(file.getPath().toUri().getPath().substring(root.length() + 1), file);
    }
    return files;
  }

  private String difference(Path left, Path right) throws IOException {
    return isSequence(left) && isSequence(right) ? sequences(left, right) : bytes(left, right);
  }

  private boolean isSequence(Path file) throws IOException {
    try (InputStream in = fs.open(file)) {
      return Arrays.equals(in.readNBytes(3), new byte[] {'S', 'E', 'Q'});
    }
  }

  private String bytes(Path left, Path right) throws IOException {
    try (InputStream a = fs.open(left);
        InputStream b = fs.open(right)) {
      byte[] bytesA = compared(a.readAllBytes());
      byte[] bytesB = compared(b.readAllBytes());
      int at = Arrays.mismatch(bytesA, bytesB);
      return at < 0
          ? null
          : "byte " + at + " differs: " + text(bytesA, at) + " against " + text(bytesB, at);
    }
  }

  private byte[] compared(byte[] file) {
    if (passedOver == null && !sorted) {
      return file;
    }
    String text = new String(file, StandardCharsets.ISO_8859_1);
    if (passedOver != null) {
      text = passedOver.matcher(text).replaceAll("");
    }
    if (sorted) {
      String[] lines = text.split("\n", -1);
      Arrays.sort(lines);
      text = String.join("\n", lines);
    }
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String text(byte[] bytes, int at) {
    int from = Math.max(0, at - SHOWN / 2);
    int length = Math.min(SHOWN, bytes.length - from);
    return bytes.length
        + " bytes, ..."
        + new String(bytes, from, length, StandardCharsets.ISO_8859_1);
  }

  private String sequences(Path left, Path right) throws IOException {
    try (SequenceFile.Reader a = new SequenceFile.Reader(conf, SequenceFile.Reader.file(left));
        SequenceFile.Reader b = new SequenceFile.Reader(conf, SequenceFile.Reader.file(right))) {
      String headA = head(a);
      String headB = head(b);
      if (!headA.equals(headB)) {
        return "headers differ: " + headA + " against " + headB;
      }
      // One for all records: each holds a decompressor with direct buffers, for good.
      SequenceFile.ValueBytes valueA = a.createValueBytes();
      SequenceFile.ValueBytes valueB = b.createValueBytes();
      for (long record = 0; ; record++) {
        byte[] nextA = record(a, valueA);
        byte[] nextB = record(b, valueB);
        if (nextA == null && nextB == null) {
          return null;
        }
        if (!Arrays.equals(nextA, nextB)) {
          return "record " + record + " differs: " + hex(nextA) + " against " + hex(nextB);
        }
      }
    }
  }

  private static String head(SequenceFile.Reader reader) {
    return reader.getKeyClassName()
        + " "
        + reader.getValueClassName()
        + " compressed="
        + reader.isCompressed()
        + " block="
        + reader.isBlockCompressed()
        + " codec="
        + (reader.getCompressionCodec() == null
            ? "none"
            : reader.getCompressionCodec().getClass().getName())
        + " metadata="
        + reader.getMetadata();
  }

  private static byte[] record(SequenceFile.Reader reader, SequenceFile.ValueBytes value)
      throws IOException {
    DataOutputBuffer buffer = new DataOutputBuffer();
    if (reader.nextRaw(buffer, value) < 0) {
      return null;
    }
    buffer.writeInt(buffer.getLength());
    value.writeUncompressedBytes(buffer);
    return Arrays.copyOf(buffer.getData(), buffer.getLength());
  }

  private static String hex(byte[] record) {
    return record == null
        ? "end of file"
        : record.length
            + " bytes, "
            + HexFormat.of().formatHex(record, 0, Math.min(record.length, SHOWN));
  }
}
