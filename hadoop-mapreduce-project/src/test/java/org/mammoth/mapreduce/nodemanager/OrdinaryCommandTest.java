// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.mapred.OrdinaryContainerChild;
import org.junit.jupiter.api.Test;
import org.mammoth.mapreduce.MammothCounter;

class OrdinaryCommandTest {

  private static final String COMMAND =
      "$JAVA_HOME/bin/java -Xmx820m org.apache.hadoop.mapred.YarnChild 127.0.0.1 35001 "
          + "attempt_1700000000000_0001_m_000003_1 21 1>/logs/c1/stdout 2>/logs/c1/stderr ";

  private final List<String> commands = new ArrayList<>(List.of(COMMAND));
  private final Map<String, String> environment = new HashMap<>(Map.of("CLASSPATH", "$PWD"));

  private void adapt() {
    OrdinaryCommand.adapt(commands, environment, List.of(), Optional.empty());
  }

  @Test
  void aTaskCountsItself() {
    adapt();
    assertThat(commands.get(0)).contains(" " + OrdinaryContainerChild.class.getName() + " ");
    assertThat(environment.get("CLASSPATH")).startsWith("$PWD:");
  }

  /** Its image need not have this node's jars. */
  @Test
  void aTaskInAnImageIsStocks() {
    environment.put("YARN_CONTAINER_RUNTIME_TYPE", "docker");
    adapt();
    assertThat(commands).containsExactly(COMMAND);
    assertThat(environment).containsEntry("CLASSPATH", "$PWD");
  }

  /** It may be older than the class. */
  @Test
  void aTaskOnAJavaOfItsOwnIsStocks() {
    environment.put("JAVA_HOME", "/opt/jdk8");
    adapt();
    assertThat(commands).containsExactly(COMMAND);
    assertThat(environment).containsEntry("CLASSPATH", "$PWD");
  }

  /**
   * Clients that know nothing of Mammoth give tasks a class path without it. Whatever of ours the
   * main classes refer to, however far, is in the jars that are added.
   */
  @Test
  void aTaskHasAllOfOursThatItsMainClassesUse() throws Exception {
    adapt();
    String[] added = environment.get("CLASSPATH").substring("$PWD:".length()).split(":");
    List<URL> path = new ArrayList<>();
    for (String one : added) {
      path.add(new File(one).toURI().toURL());
    }
    Deque<String> left = new ArrayDeque<>(List.of(name(OrdinaryContainerChild.class)));
    left.add("org/apache/hadoop/mapred/UserContainerChild");
    left.add("org/apache/hadoop/mapred/FallbackCountingRpcEngine");
    Set<String> seen = new TreeSet<>();
    try (URLClassLoader ours = new URLClassLoader(path.toArray(new URL[0]), null)) {
      while (!left.isEmpty()) {
        String next = left.remove();
        boolean isOurs = OrdinaryCommandTest.class.getResource("/" + next + ".class") != null;
        if (!isOurs || isUpstreams(next) || !seen.add(next)) {
          continue;
        }
        try (InputStream code = ours.getResourceAsStream(next + ".class")) {
          assertThat(code).as("%s, used by a task's main class, in %s", next, path).isNotNull();
          left.addAll(namesIn(code.readAllBytes()));
        }
      }
    }
    assertThat(seen).contains(name(MammothCounter.class));
  }

  private static String name(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private static boolean isUpstreams(String name) {
    URL found = OrdinaryCommandTest.class.getResource("/" + name + ".class");
    return !found.getPath().contains("mammoth") && !found.getPath().contains("/target/classes/");
  }

  /** Names of classes that stand in the constants of a class file. */
  private static List<String> namesIn(byte[] code) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(code));
    in.skipBytes(8);
    int count = in.readUnsignedShort();
    String[] texts = new String[count];
    List<Integer> classes = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> texts[i] = in.readUTF();
        case 7 -> classes.add(in.readUnsignedShort());
        case 5, 6 -> {
          in.skipBytes(8);
          i++;
        }
        case 8, 16, 19, 20 -> in.skipBytes(2);
        case 15 -> in.skipBytes(3);
        default -> in.skipBytes(4);
      }
    }
    return classes.stream().map(i -> texts[i]).filter(name -> !name.startsWith("[")).toList();
  }
}
