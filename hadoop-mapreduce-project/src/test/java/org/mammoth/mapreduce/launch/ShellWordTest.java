// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an option of a container's command is after the shells of its launch script. */
class ShellWordTest {

  private static final int WORDS = 400;

  private static final String[] PIECES = {
    "a",
    "Z",
    "7",
    "_",
    "-",
    ".",
    ",",
    ":",
    "/",
    "=",
    "@",
    "%",
    "+",
    "^",
    "*",
    "?",
    "~",
    "#",
    "!",
    "'",
    "\"",
    "\\",
    "`",
    "|",
    ";",
    "&",
    "<",
    ">",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "$",
    "$$",
    "$1",
    "$ONE",
    "${ONE}",
    "$PWD",
    "$TWO_WORDS",
    "$STAR",
    "$QUOTE",
    "$NONE",
    "${NONE}",
    "$UID",
    "$SHELL",
    "$HOSTNAME",
    "${ONE:-x}",
    "$((1+1))",
    "$(echo a)",
    "$[1+1]",
    "{a,b}",
    "$'a'",
    "ü"
  };

  @TempDir private Path dir;

  private Map<String, String> ofContainer;
  private ContainerEnvironment environment;

  /** A shell's PWD is the folder it is in, whatever it was told. */
  @BeforeEach
  void inTheContainersFolder() throws IOException {
    String folder = dir.toRealPath().toString();
    ofContainer = Map.of("PWD", folder, "ONE", "1", "TWO_WORDS", "a b", "STAR", "*", "QUOTE", "'");
    environment = new ContainerEnvironment(Map.of("PATH", "/bin"), ofContainer);
  }

  /** As upstream's launch script has it: a shell hands the command to another one. */
  private String byShells(String word) throws Exception {
    ProcessBuilder script =
        new ProcessBuilder("bash", "-c", "exec /bin/bash -c \"printf '%s\\n' " + word + "\"")
            .directory(dir.toFile())
            .redirectErrorStream(true);
    Map<String, String> variables = new HashMap<>(ofContainer);
    variables.put("PATH", "/bin:/usr/bin");
    script.environment().clear();
    script.environment().putAll(variables);
    Process shells = script.start();
    shells.getOutputStream().close();
    String said = new String(shells.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    shells.waitFor();
    return said;
  }

  @Test
  void isWhatTheShellsLeaveOrIsLeftToThem() throws Exception {
    long seed = Long.getLong("mammoth.words.seed", System.nanoTime());
    Random random = new Random(seed);
    int plain = 0;
    for (int i = 0; i < WORDS; i++) {
      StringBuilder word = new StringBuilder("-Dx=");
      for (int left = random.nextInt(5); left > 0; left--) {
        word.append(PIECES[random.nextInt(PIECES.length)]);
      }
      Optional<String> known = environment.word(word.toString());
      if (known.isPresent()) {
        plain++;
        assertThat(known.get() + "\n")
            .as("%s, seed %d", word, seed)
            .isEqualTo(byShells(word.toString()));
      }
    }
    assertThat(plain).as("words known, seed %d", seed).isGreaterThan(WORDS / 10);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Dsep='|'",
        "-Dlist=\"a,b\"",
        "-Dhost=$HOSTNAME",
        "-Dhost=$(hostname)",
        "-Dpid=$$",
        "-Dpath=a\\\\,b",
        "-Dhome=~",
        "-Dn={1,2}",
        "-Dv=$TWO_WORDS",
        "-Dv=$5x",
        "-Dterm=$TERM"
      })
  void leavesToTheShellsWhatOnlyTheyRead(String option) {
    assertThat(environment.word(option)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-Xmx1g",
        "-Djava.io.tmpdir=$PWD/tmp",
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "-Dfiles=*.txt",
        "-Da=b=c",
        "-Dempty=",
        "-Djdbc=jdbc:postgresql://db:5432/x?ssl=1"
      })
  void readsPlainOnes(String option) {
    assertThat(environment.word(option)).contains(option.replace("$PWD", ofContainer.get("PWD")));
  }
}
