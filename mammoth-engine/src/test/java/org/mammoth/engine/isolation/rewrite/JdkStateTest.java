// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.objectweb.asm.Type;

/**
 * Every method of the JDK that changes what other code of the JVM sees is either one that the
 * engine replaces, or one that somebody has judged: {@code jdk-state.txt}.
 */
@EnabledForJreRange(min = JRE.JAVA_17, max = JRE.JAVA_17)
class JdkStateTest {

  private static final Path JUDGED = Path.of("src", "test", "resources", "jdk-state.txt");
  private static final Path METHODS =
      Path.of("..", "dev-support", "census", "review", "jdk-methods.txt");

  private final CallTable table = new CallTable();

  /** Classes and methods of which somebody has said why they may be called. */
  private record Rule(Pattern type, Pattern method, String line) {

    static Rule of(String line) {
      String[] parts = line.split("\\s+", 3);
      assertThat(parts).as("class, method and reason: %s", line).hasSize(3);
      return new Rule(Pattern.compile(parts[0]), Pattern.compile(parts[1]), line);
    }

    boolean fits(String type, String method) {
      return this.type.matcher(type).matches() && this.method.matcher(method).matches();
    }
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .toList();
  }

  private boolean isReplaced(String type, String name, String descriptor) {
    String owner = type.replace('.', '/');
    return table.contains(owner, name, descriptor);
  }

  @Test
  void whateverChangesTheJvmIsReplacedOrJudged() throws Exception {
    List<Rule> rules = lines(JUDGED).stream().map(Rule::of).toList();
    Set<Rule> used = new HashSet<>();
    List<String> unjudged = new ArrayList<>();
    for (Map.Entry<String, Set<String>> found : changing().entrySet()) {
      String[] parts = found.getKey().split(" |(?=\\()");
      if (isReplaced(parts[0], parts[1], parts[2])) {
        continue;
      }
      List<Rule> fitting = rules.stream().filter(rule -> rule.fits(parts[0], parts[1])).toList();
      used.addAll(fitting);
      if (fitting.isEmpty()) {
        unjudged.add(found.getKey() + " changes " + found.getValue());
      }
    }
    assertThat(unjudged).as("replace them, or judge them in %s", JUDGED).isEmpty();
    assertThat(rules).as("judgements of what there is").allMatch(used::contains);
  }

  /** What is found in the JDK, and what the census looks for in Hadoop's own classes. */
  private static Map<String, Set<String>> changing() throws Exception {
    Map<String, Set<String>> all = JdkStateScan.ofThisJdk();
    for (String line : lines(METHODS)) {
      String[] parts = line.split("\\s+");
      List<String> names = Arrays.asList(parts).subList(1, parts.length);
      for (Method method : Class.forName(parts[0]).getMethods()) {
        if (names.contains(method.getName())) {
          String descriptor = Type.getMethodDescriptor(method);
          all.putIfAbsent(
              parts[0] + " " + method.getName() + descriptor, Set.of(METHODS.toString()));
        }
      }
    }
    return all;
  }
}
