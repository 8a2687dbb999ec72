// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.upstream;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import org.apache.hadoop.io.Text;

/**
 * What texts answer, as JDK types, so that they can be compared with those of another class loader.
 * Takes a string to encode and bytes to decode.
 */
public final class Texts implements BiFunction<String, byte[], List<String>> {

  @Override
  public List<String> apply(String string, byte[] bytes) {
    List<String> answers = new ArrayList<>();
    Text text = new Text("left over");
    text.set(string);
    // with what lies in the array behind the text
    answers.add(text.getLength() + " of " + Arrays.toString(text.getBytes()));
    answers.add(text.getTextLength() + " " + text);
    answers.add(new Text(string).find("a") + " " + text.hashCode());
    text.append(bytes, 0, bytes.length);
    answers.add(Arrays.toString(text.getBytes()));
    text.set(bytes);
    answers.add(text.toString());
    text.set(bytes, bytes.length / 3, bytes.length / 2);
    answers.add(text.toString());
    answers.add(answer(() -> Text.decode(bytes)));
    answers.add(answer(() -> Text.decode(bytes, bytes.length / 3, bytes.length / 2)));
    answers.add(answer(() -> Text.decode(bytes, 0, bytes.length, false)));
    answers.add(answer(() -> Arrays.toString(Text.encode(string).array())));
    answers.add(answer(() -> Text.encode(string, true).toString()));
    answers.add(answer(() -> Text.encode(string, false).toString()));
    answers.add(answer(() -> thereAndBack(string)));
    return answers;
  }

  private static String answer(Callable<String> question) {
    try {
      return question.call();
    } catch (Exception e) {
      return e.toString();
    }
  }

  private static String thereAndBack(String string) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int length = Text.writeString(new DataOutputStream(out), string);
    byte[] written = out.toByteArray();
    String read = Text.readString(new DataInputStream(new ByteArrayInputStream(written)));
    return length + " " + Arrays.toString(written) + " " + read;
  }
}
