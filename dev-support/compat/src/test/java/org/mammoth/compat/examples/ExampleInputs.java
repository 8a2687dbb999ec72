// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.examples;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.Text;

/** Small inputs of the examples, the same in every run. */
final class ExampleInputs {
  private static final String[] WORDS =
      "one two three four five of for or not noon oolong zebra Zebra ox".split(" ");

  private final FileSystem fs;
  private final Configuration conf;
  private final Random random = new Random(42);

  ExampleInputs(FileSystem fs, Configuration conf) {
    this.fs = fs;
    this.conf = conf;
  }

  void write(Path dir) throws IOException {
    for (int file = 0; file < 3; file++) {
      lines(
          new Path(dir, "text/part-" + file),
          400,
          () -> WORDS[random.nextInt(WORDS.length)] + " " + words());
      lines(
          new Path(dir, "numbers/part-" + file),
          300,
          () -> random.nextInt(40) + " " + random.nextInt(1000));
    }
    sorted(new Path(dir, "left/part-0"), 3);
    sorted(new Path(dir, "right/part-0"), 5);
    tera(new Path(dir, "tera/part-m-00000"), 2000);
  }

  private interface Line {
    String next();
  }

  private void lines(Path path, int count, Line line) throws IOException {
    try (OutputStream out = fs.create(path)) {
      for (int i = 0; i < count; i++) {
        out.write((line.next() + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private String words() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(9); i >= 0; i--) {
      text.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
    }
    return text.toString();
  }

  /** Keys ascending, those that a step leaves out missing. */
  private void sorted(Path path, int step) throws IOException {
    try (SequenceFile.Writer out =
        SequenceFile.createWriter(
            conf,
            SequenceFile.Writer.file(fs.makeQualified(path)),
            SequenceFile.Writer.keyClass(Text.class),
            SequenceFile.Writer.valueClass(Text.class))) {
      for (int key = 0; key < 900; key += step) {
        out.append(new Text(String.format("key-%05d", key)), new Text(words()));
      }
    }
  }

  /**
   * Ten bytes of key, ninety of value, keys ascending: input for a sort and for a validation alike.
   */
  private void tera(Path path, int records) throws IOException {
    try (OutputStream out = fs.create(path)) {
      for (int i = 0; i < records; i++) {
        out.write(
            String.format("%010d%088d\r\n", i * 7919L, random.nextInt(1 << 30))
                .getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}
