// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.SequenceFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SequenceCheckTest {
  @TempDir Path folder;

  @Test
  void seesOrderLossAndChange() throws Exception {
    LocalRun local = new LocalRun(folder);
    String sorted = check(local, "sorted", "a", "b", "c", "d");
    assertThat(sorted).startsWith("records=4 ").endsWith(" unordered=0");
    String shuffled = check(local, "shuffled", "b", "a", "d", "c");
    assertThat(shuffled).endsWith(" unordered=2");
    assertThat(checksum(shuffled)).isEqualTo(checksum(sorted));
    assertThat(checksum(check(local, "changed", "a", "b", "c", "e")))
        .isNotEqualTo(checksum(sorted));
    assertThat(check(local, "lost", "a", "b", "c")).startsWith("records=3 ");
  }

  private static String checksum(String line) {
    return line.replaceAll(".*checksum=(\\w+) .*", "$1");
  }

  private static String check(LocalRun local, String name, String... keys) throws Exception {
    writeSequence(local, name, keys);
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      assertThat(local.run(new SequenceCheck(), local.path(name))).isZero();
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8).trim();
  }

  private static void writeSequence(LocalRun local, String name, String... keys)
      throws IOException {
    org.apache.hadoop.fs.Path file =
        new org.apache.hadoop.fs.Path(local.path(name).resolve("part-r-00000").toString());
    try (SequenceFile.Writer writer =
        SequenceFile.createWriter(
            local.conf(),
            SequenceFile.Writer.file(file),
            SequenceFile.Writer.keyClass(BytesWritable.class),
            SequenceFile.Writer.valueClass(BytesWritable.class))) {
      for (String key : keys) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        writer.append(
            new BytesWritable(bytes),
            new BytesWritable(("value of " + key).getBytes(StandardCharsets.UTF_8)));
      }
    }
  }
}
