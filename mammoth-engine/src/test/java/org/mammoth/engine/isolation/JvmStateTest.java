// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.logging.LogManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mammoth.engine.isolation.rewrite.CallRewriter;

/** What the JDK has once in a JVM: a task has its own, or goes on in a process. */
@Timeout(60)
class JvmStateTest {
  /** As databases have them that read files, memory and archives by one class. */
  private static final String WRAPPED =
      """
      import java.io.IOException;
      import java.nio.ByteBuffer;
      import java.nio.MappedByteBuffer;
      import java.nio.channels.*;
      import java.nio.file.*;
      public class Wrapped extends FileChannel {
        final FileChannel to;
        int asked;
        Wrapped(Path p) throws IOException {
          to = FileChannel.open(p, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        }
        public FileLock tryLock(long from, long size, boolean shared) throws IOException {
          asked++;
          return to.tryLock(from, size, shared);
        }
        public FileLock lock(long from, long size, boolean shared) { return null; }
        public int read(ByteBuffer b) { return -1; }
        public long read(ByteBuffer[] b, int from, int n) { return -1; }
        public int read(ByteBuffer b, long at) { return -1; }
        public int write(ByteBuffer b) { return 0; }
        public long write(ByteBuffer[] b, int from, int n) { return 0; }
        public int write(ByteBuffer b, long at) { return 0; }
        public long position() { return 0; }
        public FileChannel position(long to) { return this; }
        public long size() { return 0; }
        public FileChannel truncate(long to) { return this; }
        public void force(boolean all) {}
        public long transferTo(long at, long n, WritableByteChannel c) { return 0; }
        public long transferFrom(ReadableByteChannel c, long at, long n) { return 0; }
        public MappedByteBuffer map(MapMode mode, long at, long n) { return null; }
        protected void implCloseChannel() throws IOException { to.close(); }
      }
      """;

  @TempDir private Path dir;

  private static Map<String, String> needs() {
    Map<String, String> needs = new LinkedHashMap<>();
    needs.put("Locale.setDefault", "Locale.setDefault(Locale.GERMANY);");
    needs.put("TimeZone.setDefault", "TimeZone.setDefault(TimeZone.getTimeZone(\"GMT+5\"));");
    needs.put("Security.setProperty", "java.security.Security.setProperty(\"x\", \"y\");");
    needs.put("Authenticator.setDefault", "java.net.Authenticator.setDefault(null);");
    needs.put(
        "URLConnection.setDefaultUseCaches",
        "new java.net.URL(\"file:/\").openConnection().setDefaultUseCaches(false);");
    needs.put(
        "System.setProperty of http.proxyHost", "System.setProperty(\"http.proxyHost\", \"h\");");
    needs.put(
        "System.setProperty of jute.maxbuffer", "System.setProperty(\"jute.maxbuffer\", \"1\");");
    needs.put("System.loadLibrary of net", "System.loadLibrary(\"net\");");
    needs.put("VirtualMachine.attach", "com.sun.tools.attach.VirtualMachine.attach(\"1\");");
    needs.put(
        "sh with its own process id",
        "new ProcessBuilder(\"sh\", \"-c\", \"kill -0 \" + ProcessHandle.current().pid()).start();");
    needs.put(
        "kill with its own process id",
        "Runtime.getRuntime().exec(\"kill -0 \" + ProcessHandle.current().pid());");
    needs.put(
        "Tool.run",
        "javax.tools.ToolProvider.getSystemJavaCompiler().run(null, null, null, \"A.java\");");
    needs.put(
        "ToolProvider.run of jar",
        "java.util.spi.ToolProvider.findFirst(\"jar\").get().run(System.out, System.err, \"tf\", \"a.jar\");");
    needs.put("System.load of /none.so", "System.load(\"/none.so\");");
    needs.put(
        "System.load of",
        "Path link = Path.of(System.getProperty(\"java.io.tmpdir\"), \"link.so\");\n"
            + "Files.createDirectories(link.getParent());\n"
            + "Files.createSymbolicLink(link, Files.createTempFile(Path.of(\"..\"), \"lib\", \".so\").toAbsolutePath());\n"
            + "System.load(link.toString());");
    needs.put(
        "the functions of a native library by JNA",
        "com.sun.jna.Native.load(\"c\", com.sun.jna.Library.class);");
    needs.put("EventQueue", "java.awt.EventQueue.invokeLater(() -> {});");
    needs.put("SwingUtilities", "javax.swing.SwingUtilities.invokeLater(() -> {});");
    needs.put(
        "HTMLEditorKit.getStyleSheet",
        "new javax.swing.text.html.HTMLEditorKit().getStyleSheet().addRule(\"p { color: red }\");");
    needs.put(
        "new MediaSize",
        "new javax.print.attribute.standard.MediaSize(1, 2, javax.print.attribute.Size2DSyntax.MM);");
    needs.put(
        "ICC_Profile.setData",
        "java.awt.color.ICC_Profile.getInstance(java.awt.color.ColorSpace.CS_GRAY).setData(0, new byte[0]);");
    String shared =
        "Path file = Files.createTempFile(Path.of(\"..\"), \"shared\", \".lock\");\n"
            + "Files.createSymbolicLink(Path.of(\"linked.lock\"), file.toAbsolutePath());\n";
    needs.put(
        "FileChannel.lock of",
        shared + "new RandomAccessFile(\"linked.lock\", \"rw\").getChannel().lock();");
    needs.put(
        "FileChannel.tryLock of",
        shared
            + "java.nio.channels.FileChannel.open(file, StandardOpenOption.WRITE).tryLock(0, 1, false);");
    needs.put(
        "Locale.setDefault by reflection",
        "Locale.class.getMethod(\"setDefault\", Locale.class).invoke(null, Locale.GERMANY);");
    needs.put(
        "Field.set of org.apache.hadoop.io.Text.NONE",
        "java.lang.reflect.Field f = org.apache.hadoop.io.Text.class.getDeclaredFields()[0];\n"
            + "for (java.lang.reflect.Field each : org.apache.hadoop.io.Text.class.getDeclaredFields())"
            + " { if (java.lang.reflect.Modifier.isStatic(each.getModifiers())) { f = each; } }\n"
            + "f.setAccessible(true); f.set(null, null);");
    return needs;
  }

  @ParameterizedTest
  @MethodSource("names")
  void endsTheAttemptWhereItIsReached(String what) throws Exception {
    Locale before = Locale.getDefault();
    Path classes =
        UserCode.compile(dir, UserCode.function("Reach", needs().get(what) + " return \"on\";"));
    try (Task task = new Task(dir, "reach", classes)) {
      assertThatThrownBy(() -> task.call("Reach", "")).isInstanceOf(TaskExit.class);
      assertThat(task.events).hasSize(1);
      String event = task.events.get(0);
      if (what.startsWith("Field.set")) {
        assertThat(event)
            .startsWith("needs a process: Reach calls Field.set of org.apache.hadoop.io.Text.");
      } else {
        assertThat(event)
            .startsWith("needs a process: Reach calls " + what.replace(" by reflection", ""));
      }
    }
    assertThat(Locale.getDefault()).isEqualTo(before);
  }

  static java.util.stream.Stream<String> names() {
    return needs().keySet().stream();
  }

  private static Map<String, String> parts() {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put(
        "javax.imageio.spi.ImageReaderSpi",
        "return \"\" + javax.imageio.ImageIO.getReaderFormatNames().length;");
    parts.put(
        "java.nio.file.spi.FileSystemProvider",
        "Paths.get(java.net.URI.create(\"file:///a\"));\n"
            + "try { return String.valueOf(Paths.get(java.net.URI.create(\"of-job:///a\"))); } catch (FileSystemNotFoundException e) { return \"unknown\"; }");
    parts.put(
        "java.net.spi.URLStreamHandlerProvider",
        "try { return \"\" + new java.net.URL(\"of-job:x\"); } catch (java.net.MalformedURLException e) { return \"unknown\"; }");
    return parts;
  }

  static java.util.stream.Stream<String> services() {
    return parts().keySet().stream();
  }

  /** The JDK looks for these once for all, so a job that brings none may ask. */
  @ParameterizedTest
  @MethodSource("services")
  void partsOfTheJdkThatTheJobBringsNeedAProcess(String service) throws Exception {
    Path classes = UserCode.compile(dir, UserCode.function("Parts", parts().get(service)));
    try (Task without = new Task(dir, "without", classes)) {
      assertThat(without.call("Parts", "")).isNotEmpty();
      assertThat(without.events).isEmpty();
    }
    Path file = Files.createDirectories(classes.resolve("META-INF/services")).resolve(service);
    Files.writeString(file, "org.acme.Part\n");
    try (Task with = new Task(dir, "with", classes)) {
      assertThatThrownBy(() -> with.call("Parts", "")).isInstanceOf(TaskExit.class);
      assertThat(with.events).hasSize(1);
      assertThat(with.events.get(0))
          .startsWith("needs a process: Parts calls ")
          .endsWith("for which its jars provide " + service);
    }
  }

  @Test
  void foldersOfImagesAreTheTasks() throws Exception {
    String body =
        "String was = javax.imageio.ImageIO.getUseCache() + \" \" + javax.imageio.ImageIO.getCacheDirectory();\n"
            + "javax.imageio.ImageIO.setUseCache(false); javax.imageio.ImageIO.setCacheDirectory(new File(\".\"));\n"
            + "try { javax.imageio.ImageIO.setCacheDirectory(new File(\"none\")); }\n"
            + "catch (IllegalArgumentException e) { was += \" refused\"; }\n"
            + "return was + \" \" + javax.imageio.ImageIO.getUseCache() + \" \" + javax.imageio.ImageIO.getCacheDirectory();";
    assertThat(call("Images", body)).isEqualTo("true null refused false .");
    assertThat(call("Images", body)).isEqualTo("true null refused false .");
    assertThat(javax.imageio.ImageIO.getCacheDirectory()).isNull();
  }

  /** Found by name, until nothing uses it any more. */
  @Test
  void aLevelThatAnotherTaskHasMadeNeedsAProcess() throws Exception {
    String body =
        "try { java.util.logging.Level.parse(\"OF_TASK\"); return \"known\"; }\n"
            + "catch (IllegalArgumentException e) { return new Made().getName(); }";
    Path classes =
        UserCode.compile(
            dir,
            UserCode.function("Levels", body),
            "public class Made extends java.util.logging.Level { static final Made KEPT = new Made();"
                + " public Made() { super(\"OF_TASK\", 1234); } }");
    try (Task first = new Task(dir, "first", classes);
        Task second = new Task(dir, "second", classes)) {
      assertThat(first.call("Levels", "")).isEqualTo("OF_TASK");
      assertThat(first.call("Levels", "")).isEqualTo("known");
      assertThatThrownBy(() -> second.call("Levels", "")).isInstanceOf(TaskExit.class);
      assertThat(second.events).singleElement().asString().contains("Level.parse of OF_TASK");
    }
  }

  @Test
  void theBeanOfTheRuntimeTellsTheTasks() throws Exception {
    String body =
        "java.lang.management.RuntimeMXBean bean = java.lang.management.ManagementFactory.getRuntimeMXBean();\n"
            + "System.setProperty(\"java.class.path\", \"own.jar\"); System.setProperty(\"task.key\", \"v\");\n"
            + "return bean.getClassPath() + \" \" + bean.getSystemProperties().get(\"task.key\");";
    assertThat(call("RuntimeBean", body)).isEqualTo("own.jar v");
  }

  @Test
  void librariesThatAreNotThereAreNone() throws Exception {
    String body =
        "try { System.loadLibrary(\"none\"); return \"loaded\"; }\n"
            + "catch (UnsatisfiedLinkError e) { return e.getMessage(); }";
    assertThat(call("NoLibrary", body))
        .isEqualTo("no none in java.library.path: " + System.getProperty("java.library.path"));
  }

  @Test
  void childrenThatAreToldOtherNumbersAreStarted() throws Exception {
    String body =
        "String other = ProcessHandle.current().pid() + \"1\";\n"
            + "byte[] said = new ProcessBuilder(\"echo\", other).start().getInputStream().readAllBytes();\n"
            + "return \"\" + new String(said).trim().equals(other);";
    assertThat(call("Other", body)).isEqualTo("true");
  }

  @Test
  void classesOfLoadersThatTheTaskMakesAreItsOwn() throws Exception {
    String body =
        "java.net.URL jar = Loaded.class.getProtectionDomain().getCodeSource().getLocation();\n"
            + "ClassLoader own = new java.net.URLClassLoader(new java.net.URL[] {jar}, null);\n"
            + "java.lang.reflect.Field field = own.loadClass(\"Other\").getField(\"set\");\n"
            + "field.set(null, \"own\"); return (String) field.get(null);";
    Path classes =
        UserCode.compile(
            dir,
            UserCode.function("Loaded", body),
            "public class Other { public static String set; }");
    try (Task task = new Task(dir, "loaded", classes)) {
      assertThat(task.call("Loaded", "")).isEqualTo("own");
      assertThat(task.events).isEmpty();
    }
  }

  @Test
  void theCompilersFilesAreOfTheTasksFolder() throws Exception {
    String body =
        "javax.tools.JavaCompiler c = javax.tools.ToolProvider.getSystemJavaCompiler();\n"
            + "Files.writeString(Path.of(\"Made.java\"), \"public class Made extends Base { }\");\n"
            + "StringWriter said = new StringWriter();\n"
            + "javax.tools.StandardJavaFileManager files = c.getStandardFileManager(null, null, null);\n"
            + "boolean first = c.getTask(said, files, null, List.of(\"-d\", \"made\"), null, files.getJavaFileObjects(\"Made.java\")).call();\n"
            + "boolean second = c.getTask(said, null, null, List.of(\"-d\", \"again\"), null, files.getJavaFileObjects(\"Made.java\")).call();\n"
            + "return first + \" \" + second + \" \" + new File(\"made/Made.class\").exists() + said;";
    Path classes =
        UserCode.compile(
            dir,
            UserCode.function("Compiles", body),
            "public class Base implements Runnable { public void run() {} }");
    TaskClassLoader loader =
        new TaskClassLoader(
            "compiles",
            UserCode.urls(classes),
            Task.class.getClassLoader(),
            CallRewriter.standard());
    try (Task task = new Task(dir, "compiles", loader)) {
      Files.createDirectories(task.work.resolve("made"));
      Files.createDirectories(task.work.resolve("again"));
      task.process.properties().setProperty("java.class.path", classes.toString());
      assertThat(task.call("Compiles", "")).isEqualTo("true true true");
    }
  }

  @Test
  void filesOfTheTaskAreLockedAsInItsProcess() throws Exception {
    String body =
        "try (RandomAccessFile f = new RandomAccessFile(\"own.lock\", \"rw\");\n"
            + "  java.nio.channels.FileLock lock = f.getChannel().lock()) {\n"
            + "  boolean valid = lock.isValid();\n"
            + "  try { f.getChannel().tryLock(); return \"twice\"; }\n"
            + "  catch (java.nio.channels.OverlappingFileLockException e) { return valid + \" once\"; } }";
    assertThat(call("LocksA", body)).isEqualTo("true once");
    assertThat(call("LocksB", body)).isEqualTo("true once");
  }

  @Test
  void whatAChannelOfTheJobsLocksCounts() throws Exception {
    String body =
        "try (Wrapped f = new Wrapped(Path.of(in))) {\n"
            + "  java.nio.channels.FileChannel all = f;\n"
            + "  boolean first = all.tryLock() != null;\n"
            + "  return first + \" \" + f.asked + \" \" + all.lock(0, 1, false); }";
    Path classes = UserCode.compile(dir, UserCode.function("Wraps", body), WRAPPED);
    try (Task task = new Task(dir, "wraps", classes)) {
      assertThat(task.call("Wraps", "own.lock")).isEqualTo("true 1 null");
      assertThat(task.events).isEmpty();
      Path others = Files.createFile(dir.resolve("others.lock"));
      assertThatThrownBy(() -> task.call("Wraps", others.toString())).isInstanceOf(TaskExit.class);
      assertThat(task.events)
          .singleElement()
          .asString()
          .startsWith("needs a process: Wrapped calls FileChannel.tryLock of " + others);
    }
  }

  private String call(String name, String body) throws Exception {
    try (Task task = new Task(dir, name, UserCode.compile(dir, UserCode.function(name, body)))) {
      return task.call(name, "");
    }
  }

  @Test
  void loggersOfTheJdkAreTheTasks() throws Exception {
    String said =
        call(
            "Jul",
            "java.util.logging.Logger l = java.util.logging.Logger.getLogger(\"of.task\");\n"
                + "StringBuilder heard = new StringBuilder();\n"
                + "java.util.logging.Logger root = java.util.logging.LogManager.getLogManager().getLogger(\"\");\n"
                + "root.addHandler(new java.util.logging.Handler() {\n"
                + "  public void publish(java.util.logging.LogRecord r) { heard.append(r.getMessage()); }\n"
                + "  public void flush() {} public void close() {} });\n"
                + "l.setLevel(java.util.logging.Level.FINE); l.fine(\"fine\");\n"
                + "java.util.logging.Logger.getLogger(\"of.task.child\").fine(\"+child\");\n"
                + "return heard.toString();");
    assertThat(said).isEqualTo("fine+child");
    assertThat(LogManager.getLogManager().getLogger("of.task")).isNull();
  }

  @Test
  void managementBeansAreTheTasks() throws Exception {
    String body =
        "javax.management.MBeanServer s = java.lang.management.ManagementFactory.getPlatformMBeanServer();\n"
            + "javax.management.ObjectName n = new javax.management.ObjectName(\"task:type=X\");\n"
            + "boolean was = s.isRegistered(n);\n"
            + "s.registerMBean(new javax.management.StandardMBean((Runnable) () -> {}, Runnable.class), n);\n"
            + "return was + \" \" + s.isRegistered(n) + \" \"\n"
            + "  + s.isRegistered(new javax.management.ObjectName(\"java.lang:type=Memory\"));";
    assertThat(call("BeansA", body)).isEqualTo("false true true");
    assertThat(call("BeansB", body)).isEqualTo("false true true");
  }

  @Test
  void namesOfFilesInUrlsAndDocumentsAreOfTheTasksFolder() throws Exception {
    Path classes =
        UserCode.compile(
            dir,
            UserCode.function(
                "Names",
                "String url = new String(new java.net.URL(\"file:here.xml\").openStream().readAllBytes());\n"
                    + "javax.xml.parsers.DocumentBuilder b =\n"
                    + "  javax.xml.parsers.DocumentBuilderFactory.newInstance().newDocumentBuilder();\n"
                    + "return url + b.parse(\"here.xml\").getDocumentElement().getTagName()\n"
                    + "  + b.parse(new org.xml.sax.InputSource(\"here.xml\")).getDocumentElement().getTagName();"));
    try (Task task = new Task(dir, "names", classes)) {
      Files.writeString(task.work.resolve("here.xml"), "<a/>");
      assertThat(task.call("Names", "")).isEqualTo("<a/>aa");
    }
  }

  @Test
  void childrenThatInheritStreamsWriteToTheTasks() throws Exception {
    Path classes =
        UserCode.compile(
            dir,
            UserCode.function(
                "Child",
                "System.out.print(\"before \"); new ProcessBuilder(\"echo\", \"child\").inheritIO().start().waitFor();\n"
                    + "return \"\";"));
    Path out = dir.resolve("child.out");
    TaskProcess process =
        TaskProcess.builder("child")
            .environment(Map.of("PATH", System.getenv("PATH")))
            .workDir(dir)
            .stdout(append(out))
            .streamFiles(out, out)
            .listener(new Task(dir, "unused"))
            .build();
    TaskClassLoader loader =
        new TaskClassLoader(
            "child", UserCode.urls(classes), getClass().getClassLoader(), CallRewriter.standard());
    loader.bind(process);
    @SuppressWarnings("unchecked")
    java.util.function.Function<String, String> child =
        (java.util.function.Function<String, String>)
            loader.loadClass("Child").getConstructor().newInstance();
    Thread main = new Thread(process.threads(), () -> child.apply(""));
    main.start();
    main.join();
    process.close();
    assertThat(Files.readString(out)).isEqualTo("before child\n");
  }

  private static java.io.OutputStream append(Path file) throws IOException {
    return Files.newOutputStream(
        file, java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.APPEND);
  }
}
