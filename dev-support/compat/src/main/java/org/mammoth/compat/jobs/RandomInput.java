// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.SequenceFile.CompressionType;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.util.ReflectionUtils;

/** Writes the input files of a plan; the same seed gives the same records. */
final class RandomInput {
  private static final int HUGE = 1_700_000;

  /** Just more than an engine's element of a MiB holds. */
  private static final int ABOVE_ELEMENT = 1_060_000;

  private final JobPlan plan;
  private final Configuration conf;
  private final Random random;
  private final Kind[] sequence;

  RandomInput(JobPlan plan, Configuration conf) {
    this.plan = plan;
    this.conf = conf;
    random = new Random(Mix.of(plan.seed ^ 0x5EED));
    sequence = new Kind[] {Kind.values()[random.nextInt(8)], Kind.TEXT};
  }

  /**
   * Lines go to {@code <dir>/lines}, sequence files to {@code <dir>/sequence}; a plan of both
   * inputs gets both.
   */
  void write(Path dir) throws IOException {
    FileSystem fs = dir.getFileSystem(conf);
    if (plan.input == JobPlan.Input.MULTIPLE || !sequence()) {
      writeLines(fs, new Path(dir, "lines"));
    }
    if (plan.input == JobPlan.Input.MULTIPLE || sequence()) {
      writeSequence(fs, new Path(dir, "sequence"));
    }
  }

  private boolean sequence() {
    return plan.input.name().startsWith("SEQUENCE");
  }

  private void writeLines(FileSystem fs, Path dir) throws IOException {
    fs.mkdirs(dir);
    CompressionCodec codec = codec();
    for (int file = 0; file < files(); file++) {
      Path path = new Path(dir, "in-" + file + (codec == null ? "" : codec.getDefaultExtension()));
      try (OutputStream raw = fs.create(path, true, 4096, (short) 1, plan.blockSize());
          OutputStream out = codec == null ? raw : codec.createOutputStream(raw)) {
        int records = records(file);
        for (int i = 0; i < records; i++) {
          byte[] line = line(i == records / 2).getBytes(StandardCharsets.UTF_8);
          out.write(line);
          // The last line of a file may have no end.
          if (i < records - 1 || file % 2 == 0) {
            out.write('\n');
          }
        }
      }
    }
  }

  private void writeSequence(FileSystem fs, Path dir) throws IOException {
    fs.mkdirs(dir);
    CompressionType type =
        switch (plan.input) {
          case SEQUENCE_RECORD -> CompressionType.RECORD;
          case SEQUENCE_BLOCK -> CompressionType.BLOCK;
          default -> CompressionType.NONE;
        };
    CompressionCodec codec = codec();
    for (int file = 0; file < files(); file++) {
      try (SequenceFile.Writer out =
          SequenceFile.createWriter(
              conf,
              SequenceFile.Writer.file(fs.makeQualified(new Path(dir, "in-" + file))),
              SequenceFile.Writer.blockSize(plan.blockSize()),
              SequenceFile.Writer.keyClass(sequence[0].type()),
              SequenceFile.Writer.valueClass(sequence[1].type()),
              codec == null || type == CompressionType.NONE
                  ? SequenceFile.Writer.compression(type)
                  : SequenceFile.Writer.compression(type, codec))) {
        int records = records(file);
        for (int i = 0; i < records; i++) {
          out.append(sequence[0].of(random.nextInt(5000)), new Text(line(i == records / 2)));
        }
      }
    }
  }

  private CompressionCodec codec() {
    if (plan.inputCodec == JobPlan.Codec.NONE) {
      return null;
    }
    Class<?> type = conf.getClassByNameOrNull(plan.inputCodec.className());
    return (CompressionCodec) ReflectionUtils.newInstance(type, conf);
  }

  private int files() {
    return plan.size == JobPlan.Size.NO_FILE ? 0 : plan.files;
  }

  private int records(int file) {
    return switch (plan.size) {
      case EMPTY_FILE, NO_FILE -> 0;
      case TINY -> random.nextInt(6);
      case SMALL -> 50 + random.nextInt(1500);
      case BIG -> 12_000 + random.nextInt(12_000) / (file + 1);
      case HUGE_RECORD -> 20 + random.nextInt(100);
      case HUGE_RECORDS -> file == 0 ? 36 : 2;
    };
  }

  /** A key, a tab and some words; some lines are empty and some have no tab. */
  private String line(boolean middle) {
    if (plan.size == JobPlan.Size.HUGE_RECORDS || plan.size == JobPlan.Size.HUGE_RECORD && middle) {
      return huge();
    }
    int kind = random.nextInt(40);
    if (kind == 0) {
      return "";
    }
    StringBuilder line = new StringBuilder();
    line.append("k").append(random.nextInt(2000));
    if (kind > 2) {
      line.append('\t');
    }
    int words = 1 + random.nextInt(plan.size == JobPlan.Size.BIG ? 24 : 8);
    for (int i = 0; i < words; i++) {
      line.append(Integer.toString(random.nextInt(1 << (1 + random.nextInt(24))), 36)).append(' ');
    }
    return line.append(random.nextInt(9) == 0 ? "\u017eluť" : "").toString();
  }

  private String huge() {
    int length = plan.size == JobPlan.Size.HUGE_RECORDS ? ABOVE_ELEMENT : HUGE;
    StringBuilder line = new StringBuilder(length + 16);
    line.append("huge\t");
    while (line.length() < length) {
      line.append(Long.toString(random.nextLong() >>> 1, 36));
    }
    return line.toString();
  }
}
