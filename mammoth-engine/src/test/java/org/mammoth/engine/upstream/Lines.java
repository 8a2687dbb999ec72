// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.util.LineReader;

/**
 * What a reader of lines answers, as JDK types, so that it can be compared with what another class
 * loader's reader does. Takes a text and the reader's buffer size, most bytes a line may have, and
 * after how many to stop.
 */
public final class Lines implements BiFunction<byte[], int[], List<String>> {

  @Override
  public List<String> apply(byte[] text, int[] sizes) {
    List<String> answers = new ArrayList<>();
    Text line = new Text("left over");
    try (LineReader reader = new LineReader(new ByteArrayInputStream(text), sizes[0])) {
      int read;
      do {
        read = reader.readLine(line, sizes[1], sizes[2]);
        answers.add(read + " " + Arrays.toString(line.copyBytes()));
      } while (read > 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return answers;
  }
}
