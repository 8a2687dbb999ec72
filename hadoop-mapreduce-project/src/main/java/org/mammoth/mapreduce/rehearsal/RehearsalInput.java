// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.rehearsal;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.split.JobSplit.TaskSplitIndex;

/** What the maps of a rehearsal read: some text, always the same, and the one split it makes. */
final class RehearsalInput {

  /** What a line begins with. */
  static final int KEY_BYTES = 10;

  private static final int LINES = 40_000;
  private static final int WORDS_OF_LINE = 12;
  private static final int VOCABULARY = 4_000;

  private final Path split;

  /** Written into a folder that is there. */
  RehearsalInput(Path folder) throws IOException {
    Path text = folder.resolve("input");
    Files.write(text, lines());
    split = folder.resolve("split");
    FileSplit all =
        new FileSplit(
            new org.apache.hadoop.fs.Path(text.toUri()), 0, Files.size(text), new String[0]);
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(split))) {
      Text.writeString(out, FileSplit.class.getName());
      all.write(out);
    }
  }

  /** Words that are as often as their rank is low. */
  private static byte[] lines() {
    Random random = new Random(1);
    StringBuilder text = new StringBuilder();
    for (int line = 0; line < LINES; line++) {
      String key = String.format("%0" + KEY_BYTES + "d", random.nextInt(Integer.MAX_VALUE));
      text.append(key);
      for (int word = 1; word < WORDS_OF_LINE; word++) {
        int rank = (int) Math.pow(VOCABULARY, random.nextDouble());
        text.append(' ').append("word".substring(rank % 4)).append(rank);
      }
      text.append('\n');
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  /** Where upstream's map finds its split. */
  TaskSplitIndex index() {
    return new TaskSplitIndex(split.toUri().toString(), 0);
  }
}
