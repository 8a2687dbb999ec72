// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.children;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The scripts that a command names, which say what the child will do, and those in its folder that
 * these name in turn, to call or to import them. Stateless, thread-safe.
 */
final class ChildScripts {

  private static final int MOST = 64 << 10;
  private static final int MARK = 2;

  private static final Pattern INTERPRETER =
      Pattern.compile("(?:.*/)?(?:env|(?:ba|da|k|z)?sh|(?:python|perl|ruby|node)[\\d.]*)");

  /** Its name without the ending is how others import it. */
  private static final Pattern SCRIPT =
      Pattern.compile("(\\w[\\w-]*)\\.(?:sh|bash|py|pl|pm|rb|js)");

  private ChildScripts() {}

  /**
   * The beginnings of these scripts, and what an interpreter is told in words.
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
        texts.add(text.isEmpty() ? word : text);
      }
      interpreted |= INTERPRETER.matcher(word).matches();
    }
    if (!texts.isEmpty()) {
      addNamed(texts, folder);
    }
    return texts;
  }

  private static void addNamed(List<String> texts, File folder) {
    Map<String, String> beside = beside(folder);
    for (int i = 0; i < texts.size(); i++) { // which grow
      String text = texts.get(i);
      List<String> named =
          beside.keySet().stream().filter(file -> text.contains(beside.get(file))).toList();
      for (String file : named) {
        beside.remove(file);
        texts.add(read(file, folder, true));
      }
    }
  }

  /** Names of scripts, and how others name them. */
  private static Map<String, String> beside(File folder) {
    Map<String, String> scripts = new TreeMap<>();
    String[] files = folder.list();
    for (String file : files == null ? new String[0] : files) {
      Matcher script = SCRIPT.matcher(file);
      if (script.matches()) {
        scripts.put(file, script.group(1));
      }
    }
    return scripts;
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
