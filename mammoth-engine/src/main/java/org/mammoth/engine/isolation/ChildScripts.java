// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The scripts that a command names, which say what the child will do. Stateless, thread-safe. */
final class ChildScripts {

  private static final int MOST = 64 << 10;
  private static final int MARK = 2;

  private static final Pattern INTERPRETER =
      Pattern.compile("(?:.*/)?(?:env|(?:ba|da|k|z)?sh|(?:python|perl|ruby)[\\d.]*)");

  private ChildScripts() {}

  /**
   * The beginnings of these scripts.
   *
   * @param command of the child; without words that are {@code null}
   * @param folder in which it begins
   */
  static List<String> texts(List<String> command, File folder) {
    List<String> texts = new ArrayList<>();
    boolean interpreted = false;
    for (String word : command) {
      String text = read(word, folder, interpreted);
      if (interpreted || text.startsWith("#!")) {
        texts.add(text);
      }
      interpreted |= INTERPRETER.matcher(word).matches();
    }
    return texts;
  }

  /** Data that a command names is not touched: its time of access is the job's to see. */
  private static String read(String word, File folder, boolean interpreted) {
    try {
      Path file = folder.toPath().resolve(word);
      if (word.isEmpty() || !Files.isRegularFile(file)) {
        return "";
      }
      if (!interpreted && !Files.isExecutable(file)) {
        return "";
      }
      try (InputStream in = Files.newInputStream(file)) {
        byte[] mark = in.readNBytes(MARK);
        byte[] rest = isText(mark) ? in.readNBytes(MOST) : new byte[0];
        return new String(mark, StandardCharsets.ISO_8859_1)
            + new String(rest, StandardCharsets.ISO_8859_1);
      }
    } catch (IOException | InvalidPathException cannotBeRead) {
      // Nor by the child, most likely.
      return "";
    }
  }

  /** Programs and archives begin with bytes that no text has, or with letters of theirs. */
  private static boolean isText(byte[] mark) {
    for (byte each : mark) {
      if (each < '\t') {
        return false;
      }
    }
    return mark.length == MARK && !(mark[0] == 'P' && mark[1] == 'K');
  }
}
