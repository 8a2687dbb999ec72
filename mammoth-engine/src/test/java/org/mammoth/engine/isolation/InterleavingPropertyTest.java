// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Whatever two tasks do in whatever order, each sees what a process of its own would have shown it.
 */
class InterleavingPropertyTest {
  private static Path dir;
  private static Path classes;

  record Step(int task, String op, String key, String value) {}

  @BeforeContainer
  static void compile() throws Exception {
    dir = Files.createTempDirectory("interleaving");
    classes =
        UserCode.compile(
            dir,
            UserCode.function(
                "Step",
                "String[] a = in.split(\" \"); switch (a[0]) {\n"
                    + "case \"set\": return System.setProperty(a[1], a[2]);\n"
                    + "case \"get\": return System.getProperty(a[1]);\n"
                    + "case \"clear\": return System.clearProperty(a[1]);\n"
                    + "case \"write\": { File f = new File(a[1]); String old = f.exists() ? Files.readString(f.toPath()) : null;\n"
                    + "  try (Writer w = new FileWriter(a[1])) { w.write(a[2]); } return old; }\n"
                    + "case \"read\": try (BufferedReader r = new BufferedReader(new FileReader(new File(a[1])))) {\n"
                    + "  return r.readLine(); } catch (FileNotFoundException e) { return null; }\n"
                    + "default: { Path p = Paths.get(a[1]); String old = Files.exists(p) ? Files.readString(p) : null;\n"
                    + "  new File(a[1]).delete(); return old; } }"));
  }

  @AfterContainer
  static void clean() throws Exception {
    try (var files = Files.walk(dir)) {
      files.sorted(java.util.Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
    }
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 1),
            Arbitraries.of("set", "get", "clear", "write", "read", "delete"),
            Arbitraries.of("x", "y"),
            Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(6))
        .as(Step::new)
        .list()
        .ofMaxSize(40);
  }

  @Property(tries = 100)
  void neitherSeesTheOther(@ForAll("steps") List<Step> steps) throws Exception {
    Path root = Files.createTempDirectory(dir, "run");
    try (Task a = new Task(root, "a", classes);
        Task b = new Task(root, "b", classes)) {
      Task[] tasks = {a, b};
      List<Map<String, String>> properties = List.of(new HashMap<>(), new HashMap<>());
      List<Map<String, String>> files = List.of(new HashMap<>(), new HashMap<>());
      for (Step s : steps) {
        boolean onFile = List.of("write", "read", "delete").contains(s.op);
        Map<String, String> model = (onFile ? files : properties).get(s.task);
        String expected = model(model, s);
        assertThat(tasks[s.task].call("Step", s.op + " " + s.key + " " + s.value))
            .as("%s", s)
            .isEqualTo(expected);
      }
      assertThat(System.getProperty("x")).isNull();
    }
  }

  private static String model(Map<String, String> state, Step s) {
    switch (s.op) {
      case "set":
      case "write":
        return state.put(s.key, s.value);
      case "clear":
      case "delete":
        return state.remove(s.key);
      default:
        return state.get(s.key);
    }
  }
}
