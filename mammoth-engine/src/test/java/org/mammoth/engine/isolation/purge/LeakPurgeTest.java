// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.purge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.UserCode;

@Timeout(120)
class LeakPurgeTest {
  @TempDir static Path dir;
  static Path classes;

  @BeforeAll
  static void compile() throws Exception {
    classes =
        UserCode.compile(
            dir,
            "import org.apache.hadoop.io.*; public class Key extends IntWritable {\n"
                + "  static { WritableComparator.define(Key.class, new Order()); WritableName.setName(Key.class, \"key\");\n"
                + "    WritableFactories.setFactory(Key.class, Key::new); }\n"
                + "  public static class Order extends WritableComparator { public Order() { super(Key.class, true); } } }",
            UserCode.function(
                "Filler",
                "var conf = new org.apache.hadoop.conf.Configuration(false);\n"
                    + "conf.setClassLoader(getClass().getClassLoader());\n"
                    + "var key = (Key) org.apache.hadoop.util.ReflectionUtils.newInstance(conf.getClassByName(\"Key\"), conf);\n"
                    + "org.apache.hadoop.io.WritableComparator.get(org.apache.hadoop.io.Text.class, conf);\n"
                    + "org.apache.hadoop.util.ReflectionUtils.copy(new org.apache.hadoop.conf.Configuration(conf) {{\n"
                    + "  set(\"io.serializations\", \"org.apache.hadoop.io.serializer.WritableSerialization\");\n"
                    + "  setClassLoader(Filler.class.getClassLoader()); }}, key, new Key());\n"
                    + "new OwnDriver(); var codec = new Codec();\n"
                    + "org.apache.hadoop.io.compress.CodecPool.returnDecompressor(codec);\n"
                    + "java.beans.Introspector.getBeanInfo(Key.class);\n"
                    + "org.slf4j.LoggerFactory.getLogger(Filler.class).info(\"filled\");\n"
                    + "Runtime.getRuntime().addShutdownHook(new Thread(() -> {}));\n"
                    + "java.util.logging.Logger.getLogger(\"leaky\").addHandler(new java.util.logging.StreamHandler() { });\n"
                    + "new File(\"x\").deleteOnExit();\n"
                    + "return key.getClass().getSimpleName();"),
            "import java.sql.*; public class OwnDriver implements Driver {\n"
                + "  static { try { DriverManager.registerDriver(new OwnDriver()); } catch (SQLException e) { throw new Error(e); } }\n"
                + "  public Connection connect(String u, java.util.Properties p) { return null; }\n"
                + "  public boolean acceptsURL(String u) { return false; }\n"
                + "  public DriverPropertyInfo[] getPropertyInfo(String u, java.util.Properties p) { return null; }\n"
                + "  public int getMajorVersion() { return 1; } public int getMinorVersion() { return 0; }\n"
                + "  public boolean jdbcCompliant() { return false; }\n"
                + "  public java.util.logging.Logger getParentLogger() { return null; } }",
            "public class Codec extends org.apache.hadoop.io.compress.zlib.BuiltInZlibInflater { }");
  }

  @Test
  void everyFieldIsWhereItIsSought() {
    assertThat(new LeakPurge().selfTest()).isEmpty();
  }

  @Test
  void aFieldThatIsGoneOrOfAnotherKindIsReported() {
    LeakPurge purge =
        new LeakPurge(
            List.of(
                new LeakPurge.CacheSpot("org.apache.hadoop.io.WritableComparator", "renamed"),
                new LeakPurge.CacheSpot("org.apache.hadoop.io.Gone", "x"),
                new LeakPurge.CacheSpot("org.apache.hadoop.io.Text", "LOG")));
    assertThat(purge.selfTest()).hasSize(3);
    assertThat(purge.purge(getClass().getClassLoader().getParent())).hasSize(3);
  }

  @Test
  void deadLoadersAreCollected() throws Exception {
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      loaders.add(runTask(true));
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              System.gc();
              return loaders.stream().allMatch(l -> l.get() == null);
            });
  }

  @Test
  void withoutThePurgeItIsNot() throws Exception {
    WeakReference<ClassLoader> loader = runTask(false);
    for (int i = 0; i < 5; i++) {
      System.gc();
    }
    assertThat(loader.get()).as("else the other test proves nothing").isNotNull();
    new LeakPurge().purge(loader.get());
  }

  @Test
  void hadoopsOwnComparatorsStayRegistered() throws Exception {
    WritableComparator before = WritableComparator.get(Text.class);
    runTask(true);
    assertThat(WritableComparator.get(Text.class)).isSameAs(before);
    assertThat(WritableComparator.get(Text.class, new Configuration(false)).getConf()).isNotNull();
  }

  private static WeakReference<ClassLoader> runTask(boolean purge) throws Exception {
    try (Task task = new Task(dir, "leaky", classes)) {
      assertThat(task.call("Filler", "")).isEqualTo("Key");
      task.close();
      task.loader.close();
      if (purge) {
        assertThat(new LeakPurge().purge(task.loader)).isEmpty();
      }
      return new WeakReference<>(task.loader);
    }
  }
}
