package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobJarScanTest {
  @TempDir Path dir;
  Path harmless;
  final AtomicLong now = new AtomicLong();
  final JobJarScan scan = new JobJarScan(Duration.ofSeconds(2), 10, now::get);

  @BeforeEach
  void compile() throws Exception {
    harmless =
        UserCode.compile(
            dir.resolve("harmless"), UserCode.function("Fine", "System.exit(1); return in;"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "System.load(in)|java.lang.System.load",
        "System.loadLibrary(in)|java.lang.System.loadLibrary",
        "Runtime.getRuntime().loadLibrary(in)|java.lang.Runtime.loadLibrary",
        "TimeZone.setDefault(null)|java.util.TimeZone.setDefault",
        "Locale.setDefault(Locale.ROOT)|java.util.Locale.setDefault",
        "Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT)|java.util.Locale.setDefault",
        "java.net.URL.setURLStreamHandlerFactory(null)|java.net.URL.setURLStreamHandlerFactory",
        "java.net.Authenticator.setDefault(null)|java.net.Authenticator.setDefault",
        "System.setSecurityManager(null)|java.lang.System.setSecurityManager",
        "Consumer<String> c = System::loadLibrary|java.lang.System.loadLibrary",
        "org.apache.hadoop.conf.Configuration.addDefaultResource(in)|org.apache.hadoop.conf.Configuration.addDefaultResource",
        "org.apache.log4j.BasicConfigurator.configure()|org.apache.log4j.BasicConfigurator.configure",
      })
  void namesClassCallAndJar(String call, String named) throws Exception {
    Path classes =
        UserCode.compile(dir.resolve("bad"), UserCode.function("Bad", call + "; return in;"));
    Path jar = UserCode.jar(dir.resolve("job.jar"), classes, Map.of());
    assertThat(scan.reason(List.of(harmless, jar))).hasValue("Bad calls " + named + " (job.jar)");
    assertThat(scan.reason(List.of(classes))).hasValue("Bad calls " + named + " (classes)");
  }

  @ParameterizedTest
  @CsvSource({"lib/libfoo.so", "libfoo.so.1.2", "native/foo.jnilib"})
  void findsNativeLibraries(String name) throws Exception {
    Path jar = UserCode.jar(dir.resolve("job.jar"), harmless, Map.of(name, "elf"));
    assertThat(scan.reason(List.of(jar))).hasValue("native library " + name + " (job.jar)");
    assertThat(JobJarScan.nativeAmong(List.of("a.txt", name))).hasValue("native library " + name);
  }

  @Test
  void findsNothingWhereThereIsNothing() throws Exception {
    Path jar =
        UserCode.jar(
            dir.resolve("job.jar"),
            harmless,
            Map.of("also.txt", "text", "broken.class", "no class"));
    Path text = Files.writeString(dir.resolve("notes.txt"), "no jar");
    assertThat(scan.reason(List.of(jar, harmless, text, dir.resolve("missing.jar")))).isEmpty();
    assertThat(JobJarScan.nativeAmong(List.of("a.txt", "soup.sox"))).isEmpty();
  }

  @Test
  void leavesDriversAndWhatTheEngineHasAlone() throws Exception {
    Path classes =
        UserCode.compile(
            dir.resolve("driver"),
            "public class Driver { public static void main(String[] a) { java.util.Locale.setDefault(java.util.Locale.ROOT); } }",
            "package org.apache.commons.io; public class FileUtils { static { System.loadLibrary(\"x\"); } }");
    assertThat(scan.reason(List.of(classes))).isEmpty();
    assertThat(new JobJarScan(Duration.ofSeconds(2), 1, now::get, null).reason(List.of(classes)))
        .hasValue("org.apache.commons.io.FileUtils calls java.lang.System.loadLibrary (classes)");
  }

  @Test
  void aComparatorForASharedKeyClassIsAReasonForAnOwnOneNot() throws Exception {
    Path own =
        UserCode.compile(
            dir.resolve("own"),
            "import org.apache.hadoop.io.*; public class Key extends IntWritable {\n"
                + "  static { WritableComparator.define(Key.class, new IntWritable.Comparator()); } }");
    assertThat(scan.reason(List.of(own))).isEmpty();
    Path shared =
        UserCode.compile(
            dir.resolve("shared"),
            "import org.apache.hadoop.io.*; public class Order extends Text.Comparator {\n"
                + "  static { WritableComparator.define(Text.class, new Order()); } }");
    assertThat(scan.reason(List.of(shared)))
        .hasValue("Order defines how all tasks order org.apache.hadoop.io.Text (classes)");
  }

  @Test
  void remembersAJarUntilItChanges() throws Exception {
    Path jar = UserCode.jar(dir.resolve("job.jar"), harmless, Map.of());
    assertThat(scan.reason(List.of(jar))).isEmpty();
    long length = Files.size(jar);
    FileTime then = Files.getLastModifiedTime(jar);
    Files.write(jar, new byte[(int) length]);
    Files.setLastModifiedTime(jar, then);
    JobJarScan noTime = new JobJarScan(Duration.ofSeconds(-1), 10, now::get);
    assertThat(scan.reason(List.of(jar))).as("not opened again").isEmpty();
    UserCode.jar(jar, harmless, Map.of("libx.so", "elf"));
    assertThat(scan.reason(List.of(jar))).isPresent();
    UserCode.jar(jar, harmless, Map.of());
    assertThat(noTime.reason(List.of(jar)))
        .hasValueSatisfying(r -> assertThat(r).contains("took more than"));
  }
}
