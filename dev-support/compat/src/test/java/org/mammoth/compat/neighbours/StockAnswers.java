// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.mammoth.compat.neighbours.Street.Place;

/**
 * What programs see of their own deeds on stock. A process for each takes minutes, so the answers
 * are kept in a file, which {@code dev-support/bin/neighbours alone --measure-stock} writes anew.
 */
final class StockAnswers {
  private static final String KEPT = "/neighbours-on-stock.txt";
  private static final boolean MEASURE = Boolean.getBoolean("mammoth.compat.measure.stock");

  private final Map<String, String> answers;

  private StockAnswers(Map<String, String> answers) {
    this.answers = answers;
  }

  /** Measured now if asked for, read from the file otherwise. */
  static StockAnswers of(Street street, List<Program> programs) throws Exception {
    return new StockAnswers(MEASURE ? measured(street, programs) : kept());
  }

  private static Map<String, String> measured(Street street, List<Program> programs)
      throws Exception {
    Program plain = Program.crowd("plain", programs.stream().filter(Program::isPlain).toList());
    Map<String, String> answers = new TreeMap<>();
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> line :
        street.each(plain, "alice", Place.STOCK).seen().lines().entrySet()) {
      if (line.getKey().startsWith("map ")) {
        answers.put(line.getKey(), line.getValue());
        text.append(line.getKey()).append('\t').append(line.getValue()).append('\n');
      }
    }
    Files.writeString(
        Path.of(System.getProperty("hadoop.log.dir")).resolve(KEPT.substring(1)), text);
    return answers;
  }

  private static Map<String, String> kept() throws IOException {
    Map<String, String> answers = new TreeMap<>();
    try (InputStream in = StockAnswers.class.getResourceAsStream(KEPT)) {
      if (in == null) {
        throw new IOException("there is no " + KEPT + "; measure stock first");
      }
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        String[] parts = line.split("\t", 2);
        answers.put(parts[0], parts[1]);
      }
    }
    return answers;
  }

  /** What a plain program's map saw. */
  String of(Program program) {
    return answers.getOrDefault(topic(program), "nothing");
  }

  /** Under which topic a program of one deed tells what its map saw. */
  static String topic(Program program) {
    String deed = program.deeds().get(0);
    return "map " + deed.substring(deed.lastIndexOf('.') + 1);
  }
}
