// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mammoth.engine.isolation.purge.JvmCaches;
import org.mammoth.engine.isolation.rewrite.CallRewriter;
import org.mammoth.engine.isolation.standins.network.UrlHandlers;

/** What the JDK takes a JVM's programs for: one program, with one number. */
@Timeout(60)
class OneProcessTest {
  @TempDir private Path dir;

  private Task task(String name, String body) throws Exception {
    Path classes = UserCode.compile(dir.resolve(name), UserCode.function("Go", body));
    return new Task(dir, name, classes);
  }

  @Test
  void fileSystemsOfZipsAreTheTasks() throws Exception {
    Path zip = UserCode.jar(dir.resolve("a.zip"), null, Map.of("a.txt", "text"));
    String body =
        "java.net.URI u = java.net.URI.create(in);\n"
            + "String before; try { before = \"\" + FileSystems.getFileSystem(u); } catch (FileSystemNotFoundException e) { before = \"none\"; }\n"
            + "FileSystem f = FileSystems.newFileSystem(u, Map.of());\n"
            + "String twice; try { FileSystems.newFileSystem(u, Map.of()); twice = \"again\"; } catch (FileSystemAlreadyExistsException e) { twice = \"once\"; }\n"
            + "return before + twice + Files.readString(Path.of(java.net.URI.create(in + \"!/a.txt\")));";
    for (String name : new String[] {"one", "two"}) {
      try (Task task = task(name, body)) {
        assertThat(task.call("Go", "jar:" + zip.toUri())).isEqualTo("noneoncetext");
      }
    }
  }

  @Test
  void standardStreamsByTheirDescriptorsAndNamesAreTheTasks() throws Exception {
    String body =
        "System.out.println(1);\n"
            + "new FileOutputStream(FileDescriptor.out).write(\"2\\n\".getBytes());\n"
            + "try (FileWriter w = new FileWriter(\"/dev/stdout\", true)) { w.write(\"3\\n\"); }\n"
            + "Files.writeString(Path.of(\"/dev/fd/1\"), \"4\\n\", StandardOpenOption.APPEND);\n"
            + "try (FileOutputStream o = new FileOutputStream(new File(\"/proc/self/fd/1\"), true)) { o.write(\"5\\n\".getBytes()); }\n"
            + "new PrintStream(new FileOutputStream(FileDescriptor.err)).println(\"6\");\n"
            + "return \"\" + new FileInputStream(FileDescriptor.in).read();";
    Path out = dir.resolve("stdout");
    Path err = dir.resolve("stderr");
    Path classes = UserCode.compile(dir, UserCode.function("Go", body));
    TaskClassLoader loader =
        new TaskClassLoader(
            "streams",
            UserCode.urls(classes),
            getClass().getClassLoader(),
            CallRewriter.standard());
    TaskProcess process =
        TaskProcess.builder("streams")
            .workDir(dir)
            .tmpDir(dir)
            .stdout(new java.io.FileOutputStream(out.toFile(), true))
            .stderr(new java.io.FileOutputStream(err.toFile(), true))
            .streamFiles(out, err)
            .listener(new Listening())
            .build();
    loader.bind(process);
    CompletableFuture<Object> said = new CompletableFuture<>();
    Thread thread =
        new Thread(
            process.threads(),
            () -> {
              try {
                said.complete(
                    ((java.util.function.Function<?, ?>)
                            loader.loadClass("Go").getConstructor().newInstance())
                        .apply(null));
              } catch (Throwable e) {
                said.completeExceptionally(e);
              }
            });
    thread.start();
    assertThat(said.get()).isEqualTo("-1");
    process.close();
    loader.close();
    assertThat(out).hasContent("1\n2\n3\n4\n5\n");
    assertThat(err).hasContent("6\n");
  }

  @Test
  void jarsOpenedByTheirUrlsAreTheTasks() throws Exception {
    String body =
        "java.net.URL u = new java.net.URL(in);\n"
            + "String text = new String(u.openStream().readAllBytes());\n"
            + "((java.net.JarURLConnection) u.openConnection()).getJarFile();\n"
            + "return text + java.net.URLConnection.getDefaultUseCaches(\"jar\");";
    boolean before = java.net.URLConnection.getDefaultUseCaches("jar");
    JvmCaches.switchOff();
    try {
      for (String text : new String[] {"one", "two"}) {
        Path made = UserCode.jar(dir.resolve(text + ".jar"), null, Map.of("a.txt", text));
        // In place of the other, as a new version of a file in a fixed place is.
        Path jar = Files.move(made, dir.resolve("a.jar"), StandardCopyOption.REPLACE_EXISTING);
        try (Task task = task(text, body)) {
          assertThat(task.call("Go", "jar:" + jar.toUri() + "!/a.txt")).isEqualTo(text + "true");
        }
      }
    } finally {
      java.net.URLConnection.setDefaultUseCaches("jar", before);
    }
  }

  @Test
  void handlersOfUrlsAreTheTasks() throws Exception {
    UrlHandlers.install();
    String known =
        "String known; try { known = new java.net.URL(in + \"://h/f\").getHost(); } catch (java.net.MalformedURLException e) { known = e.getMessage(); }\n";
    String body =
        "List<String> asked = new ArrayList<>();\n"
            + "java.net.URLStreamHandler own = new java.net.URLStreamHandler() { @Override protected java.net.URLConnection openConnection(java.net.URL u) { return null; } };\n"
            + "new java.net.URL(\"http://h/\");\n"
            + "java.net.URL.setURLStreamHandlerFactory(p -> { asked.add(p); return p.equals(in) ? own : null; });\n"
            + "String twice; try { java.net.URL.setURLStreamHandlerFactory(p -> own); twice = \"twice\"; } catch (Error e) { twice = e.getMessage(); }\n"
            + "new java.net.URL(\"http://h/\"); new java.net.URL(in, \"h\", \"f\");\n"
            + known
            + "return known + \" \" + twice + \" \" + asked;";
    for (String name : new String[] {"one", "two"}) {
      try (Task task = task(name, body);
          Task other = task("beside-" + name, known + "return known;")) {
        assertThat(task.call("Go", name))
            .isEqualTo("h factory already defined [http, " + name + "]");
        assertThat(other.call("Go", name)).isEqualTo("unknown protocol: " + name);
      }
    }
    assertThatThrownBy(() -> new java.net.URL("one://h/f"))
        .isInstanceOf(java.net.MalformedURLException.class);
  }

  @Test
  void theEnvironmentCanBeChangedByThoseWhoKnowHow() throws Exception {
    String body =
        "Map<String, String> e = System.getenv();\n"
            + "java.lang.reflect.Field m = e.getClass().getDeclaredField(\"m\"); m.setAccessible(true);\n"
            + "String before = System.getenv(\"HACK\");\n"
            + "((Map<String, String>) m.get(e)).put(\"HACK\", in);\n"
            + "return before + System.getenv(\"HACK\") + new ProcessBuilder().environment().get(\"HACK\");";
    for (String name : new String[] {"one", "two"}) {
      try (Task task = task(name, body)) {
        assertThat(task.call("Go", name)).isEqualTo("null" + name + name);
      }
    }
  }

  @Test
  void aTaskHasItsOwnNumberAndChildren() throws Exception {
    String body =
        "java.lang.management.RuntimeMXBean b = java.lang.management.ManagementFactory.getRuntimeMXBean();\n"
            + "Process child = new ProcessBuilder(\"sleep\", \"20\").start();\n"
            + "try { return b.getName().split(\"@\")[0] + \" \" + ProcessHandle.current().pid() + \" \" + b.getPid()\n"
            + "  + \" \" + ProcessHandle.current().children().count() + \" \" + ProcessHandle.current().descendants().count()\n"
            + "  + \" \" + b.getSystemProperties().get(\"who\") + \" \" + (b.getUptime() < 60_000)\n"
            + "  + \" \" + (ProcessHandle.current().children().findFirst().get().pid() == child.pid());\n"
            + "} finally { if (in.isEmpty()) { child.destroy(); } }";
    try (Task one = task("one", body);
        Task two = task("two", body)) {
      String ofOne = one.call("Go", "");
      String ofTwo = two.call("Go", "");
      assertThat(ofOne).matches("(\\d+) \\1 \\1 1 1 one true true");
      assertThat(ofTwo).matches("(\\d+) \\1 \\1 1 1 two true true");
      assertThat(ofOne.split(" ")[0]).isNotEqualTo(ofTwo.split(" ")[0]);
    }
  }

  @Test
  void aTaskFindsItselfByItsOwnNumber() throws Exception {
    String body =
        "ProcessHandle self = ProcessHandle.current();\n"
            + "return ProcessHandle.of(self.pid()).map(self::equals) + \" \" + ProcessHandle.of(1).isPresent();";
    try (Task task = task("itself", body)) {
      assertThat(task.call("Go", "")).isEqualTo("Optional[true] true");
    }
  }

  @Test
  void aTaskFindsItselfByLinksOfTheKernel() throws Exception {
    String body =
        "String own = \"\" + ProcessHandle.current().pid();\n"
            + "return own.equals(Files.readSymbolicLink(Path.of(\"/proc/self\")).toString())\n"
            + "  + \" \" + new File(\"/proc/self\").getCanonicalPath().equals(\"/proc/\" + own)\n"
            + "  + \" \" + Path.of(\"/proc/self\").toRealPath().endsWith(own)\n"
            + "  + \" \" + new File(\"/proc/\" + own + \"/status\").exists()\n"
            + "  + \" \" + new File(\"/proc/self/cwd\").getCanonicalFile().getName();";
    try (Task task = task("links", body)) {
      assertThat(task.call("Go", "")).isEqualTo("true true true true links");
    }
  }

  @Test
  void platformLoggersAreTheTasksOwn() throws Exception {
    String body =
        "StringBuilder said = new StringBuilder();\n"
            + "java.util.logging.Logger.getLogger(\"\").addHandler(new java.util.logging.StreamHandler() { @Override public void publish(java.util.logging.LogRecord r) {\n"
            + "  said.append(r.getLevel() + \" of \" + r.getSourceClassName() + \".\" + r.getSourceMethodName() + \": \" + r.getMessage() + r.getParameters()[0] + \" \"); } });\n"
            + "java.util.logging.Logger.getLogger(\"x\").setLevel(java.util.logging.Level.OFF);\n"
            + "System.getLogger(\"x\").log(System.Logger.Level.ERROR, \"silent {0}\", \"once\");\n"
            + "System.getLogger(\"y\").log(System.Logger.Level.WARNING, \"said {0}\", \"once\");\n"
            + "java.lang.management.PlatformLoggingMXBean b = java.lang.management.ManagementFactory.getPlatformMXBean(java.lang.management.PlatformLoggingMXBean.class);\n"
            + "b.setLoggerLevel(\"\", \"SEVERE\"); System.getLogger(\"y\").log(System.Logger.Level.WARNING, \"twice {0}\", 2);\n"
            + "return said + b.getLoggerLevel(\"x\") + b.getLoggerNames().contains(\"y\");";
    try (Task task = task("logs", body)) {
      assertThat(task.call("Go", "")).isEqualTo("WARNING of Go.go: said {0}once OFFtrue");
    }
    assertThat(java.util.logging.Logger.getLogger("").getLevel())
        .isEqualTo(java.util.logging.Level.INFO);
  }

  @Test
  void filesByTheirProviderAreInTheTasksFolder() throws Exception {
    String body =
        "java.nio.file.spi.FileSystemProvider p = FileSystems.getDefault().provider();\n"
            + "try (OutputStream o = p.newOutputStream(Path.of(in))) { o.write(7); }\n"
            + "p.move(Path.of(in), Path.of(\"moved\")); p.checkAccess(Path.of(\"moved\")); return \"\" + p.deleteIfExists(Path.of(in));";
    try (Task task = task("provider", body)) {
      assertThat(task.call("Go", "file")).isEqualTo("false");
      assertThat(task.work.resolve("moved")).exists();
    }
  }

  @Test
  void aTasksBeanOfThreadsShowsItsOwn() throws Exception {
    String body =
        "java.lang.management.ThreadMXBean b = java.lang.management.ManagementFactory.getThreadMXBean();\n"
            + "Set<String> names = new TreeSet<>(); for (java.lang.management.ThreadInfo t : b.dumpAllThreads(false, false)) { names.add(t.getThreadName()); }\n"
            + "return names.contains(\"waits of another\") + \" \" + names.contains(Thread.currentThread().getName())"
            + " + \" \" + (b.getThreadCount() == b.getAllThreadIds().length);";
    CompletableFuture<Void> end = new CompletableFuture<>();
    Thread others = null;
    try (Task one = task("one", "return \"\";");
        Task two = task("two", body)) {
      others = new Thread(one.process.threads(), end::join, "waits of another");
      others.start();
      assertThat(two.call("Go", "")).isEqualTo("false true true");
    } finally {
      end.complete(null);
      others.join();
    }
  }

  @Test
  void itsGroupsOfThreadsAreThoseOfAProgram() throws Exception {
    String body =
        "Thread t = Thread.currentThread(); ThreadGroup main = t.getThreadGroup(); ThreadGroup top = main.getParent();\n"
            + "return main + \" \" + top + \" \" + top.getName() + \" \" + top.getParent() + \" \" + t;";
    try (Task task = task("one", body)) {
      assertThat(task.call("Go", ""))
          .isEqualTo(
              "java.lang.ThreadGroup[name=main,maxpri=10] java.lang.ThreadGroup[name=system,maxpri=10]"
                  + " system null Thread[main,5,main]");
    }
  }

  @Test
  void aTaskSeesItsOwnThreads() throws Exception {
    Thread others = new Thread(() -> {}, "waits of another");
    CompletableFuture<Void> end = new CompletableFuture<>();
    try (Task one = task("one", "return \"\";");
        Task two =
            task(
                "two",
                "ThreadGroup g = Thread.currentThread().getThreadGroup(); while (g.getParent() != null) { g = g.getParent(); }\n"
                    + "Thread[] all = new Thread[1000]; int n = g.enumerate(all, true); List<String> seen = new ArrayList<>();\n"
                    + "for (int i = 0; i < n; i++) { seen.add(all[i].getName()); }\n"
                    + "Thread.getAllStackTraces().keySet().forEach(t -> seen.add(t.getName()));\n"
                    + "boolean[] own = new boolean[1]; Thread t = new Thread(g, () -> own[0] = System.getProperty(\"who\").equals(\"two\")); t.start(); t.join();\n"
                    + "return seen.contains(\"waits of another\") + \" \" + seen.contains(Thread.currentThread().getName()) + \" \" + own[0];")) {
      others = new Thread(one.process.threads(), end::join, "waits of another");
      others.start();
      assertThat(two.call("Go", "")).isEqualTo("false true true");
    } finally {
      end.complete(null);
      others.join();
    }
  }

  private static Map<String, String> needs() {
    Map<String, String> needs = new LinkedHashMap<>();
    needs.put("Go calls ImageIO, for", "javax.imageio.ImageIO.getReaderFormatNames();");
    needs.put("Go calls new URL of acme, for", "new java.net.URL(\"acme:x\");");
    needs.put("Go calls Path.of of acme, for", "Path.of(java.net.URI.create(\"acme:///x\"));");
    needs.put("Go calls System.getLogger, for", "System.getLogger(\"x\");");
    needs.put(
        "Go calls ServiceRegistry to change it",
        "javax.imageio.spi.ServiceRegistry r = javax.imageio.spi.IIORegistry.getDefaultInstance();"
            + " r.deregisterAll();");
    needs.put(
        "Go calls ObjectInputFilter.Config.setSerialFilter",
        "ObjectInputFilter.Config.setSerialFilter(null);");
    needs.put(
        "System.setProperty of http.proxyHost by the properties",
        "System.getProperties().put(\"http.proxyHost\", \"h\");");
    needs.put(
        "Go calls LocateRegistry.createRegistry",
        "java.rmi.registry.LocateRegistry.createRegistry(0);");
    needs.put(
        "Go calls Signal.handle of USR2",
        "sun.misc.Signal.handle(new sun.misc.Signal(\"USR2\"), s -> {});");
    needs.put("Go calls Preferences", "java.util.prefs.Preferences.userRoot();");
    needs.putAll(needsOfChildren());
    needs.put(
        "Go calls Provider.put of SUN",
        "java.security.Security.getProvider(\"SUN\").put(\"a\", \"b\");");
    needs.put(
        "Go calls SSLSessionContext.setSessionTimeout of the default context",
        "javax.net.ssl.SSLContext.getDefault().getClientSessionContext().setSessionTimeout(7);");
    needs.put(
        "Go calls Lookup.defineClass beside org.apache.hadoop.io.Text",
        "java.lang.invoke.MethodHandles.privateLookupIn(org.apache.hadoop.io.Text.class,"
            + " java.lang.invoke.MethodHandles.lookup()).defineClass(new byte[0]);");
    needs.put(
        "Go calls MBeanServer.setAttribute of java.lang:type=Memory",
        "java.lang.management.ManagementFactory.getPlatformMBeanServer().setAttribute("
            + "new javax.management.ObjectName(\"java.lang:type=Memory\"), new javax.management.Attribute(\"Verbose\", true));");
    needs.put(
        "Go calls UnixDomainSocketAddress.of of a relative name",
        "java.net.UnixDomainSocketAddress.of(\"own.sock\");");
    needs.put(
        "Go calls ClassLoader.setDefaultAssertionStatus",
        "ClassLoader.getSystemClassLoader().setDefaultAssertionStatus(true);");
    needs.put("Go calls Chronology, for", "java.time.chrono.Chronology.of(\"ISO\");");
    needs.put("Go calls Files.probeContentType, for", "Files.probeContentType(Path.of(\"x\"));");
    needs.put("Go calls Recording.start", "new jdk.jfr.Recording().start();");
    needs.put(
        "Go calls Field.get of java.lang.ProcessEnvironment.theEnvironment",
        "java.lang.reflect.Field f = Class.forName(\"java.lang.ProcessEnvironment\").getDeclaredField(\"theEnvironment\");"
            + " f.setAccessible(true); f.get(null);");
    needs.put(
        "Go calls DynamicLinkerFactory.createLinker",
        "new jdk.dynalink.DynamicLinkerFactory().createLinker();");
    needs.put("Go calls JShell.create", "jdk.jshell.JShell.builder();");
    needs.put(
        "Go calls XMLDecoder.readObject",
        "new java.beans.XMLDecoder(new ByteArrayInputStream(\"<java/>\".getBytes())).readObject();");
    needs.put(
        "Go calls Statement.execute",
        "new java.beans.Statement(new Object(), \"hashCode\", null).execute();");
    needs.put(
        "Go calls Expression.getValue",
        "new java.beans.Expression(new Object(), \"hashCode\", null).getValue();");
    needs.put(
        "Go calls ConstantDesc.resolveConstantDesc",
        "java.lang.constant.MethodHandleDesc.of(java.lang.constant.DirectMethodHandleDesc.Kind.STATIC,"
            + " java.lang.constant.ClassDesc.of(\"java.lang.System\"), \"gc\", \"()V\")"
            + ".resolveConstantDesc(java.lang.invoke.MethodHandles.lookup());");
    needs.put(
        "Go calls MBeanServer.instantiate",
        "java.lang.management.ManagementFactory.getPlatformMBeanServer().instantiate(\"java.io.File\", new Object[] {\"x\"}, new String[] {\"java.lang.String\"});");
    return needs;
  }

  private static Map<String, String> needsOfChildren() {
    Map<String, String> needs = new LinkedHashMap<>();
    needs.put(
        "Go calls sh with its parent or its group",
        "new ProcessBuilder(\"sh\", \"-c\", \"echo $PPID\").start();");
    needs.put(
        "Go calls ./parent.sh with its parent or its group",
        "Files.writeString(Path.of(\"parent.sh\"), \"#!/bin/sh\\necho $PPID\\n\");"
            + " new java.io.File(\"parent.sh\").setExecutable(true);"
            + " Runtime.getRuntime().exec(\"./parent.sh\");");
    needs.put(
        "Go calls bash with its parent or its group",
        "Files.writeString(Path.of(\"parent\"), \"kill $PPID\\n\");"
            + " new ProcessBuilder(\"bash\", \"-e\", \"parent\").start();");
    needs.put(
        "Go calls python3 with its parent or its group",
        "Files.writeString(Path.of(\"map.py\"), \"import ends\\nends.install()\\n\");"
            + " Files.writeString(Path.of(\"ends.py\"), \"os.killpg(0, 9)\\n\");"
            + " new ProcessBuilder(\"python3\", \"map.py\").start();");
    needs.put(
        "Go calls kill with its parent or its group",
        "Runtime.getRuntime().exec(\"kill -s CONT 0\");");
    return needs;
  }

  static Stream<String> names() {
    return needs().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("names")
  void endsTheAttemptWhereItIsReached(String what) throws Exception {
    Path classes =
        UserCode.compile(dir, UserCode.function("Go", needs().get(what) + " return \"on\";"));
    boolean provides = what.endsWith(", for");
    Map<String, String> services =
        Map.of(
            "META-INF/services/java.time.chrono.AbstractChronology", "acme.Calendar",
            "META-INF/services/java.nio.file.spi.FileTypeDetector", "acme.Types",
            "META-INF/services/javax.imageio.spi.ImageReaderSpi", "acme.Reader",
            "META-INF/services/java.net.spi.URLStreamHandlerProvider", "acme.Urls",
            "META-INF/services/java.nio.file.spi.FileSystemProvider", "acme.Files",
            "META-INF/services/java.lang.System$LoggerFinder", "acme.Loggers");
    Path jar = UserCode.jar(dir.resolve("job.jar"), classes, provides ? services : Map.of());
    try (Task task = new Task(dir, "reach", jar)) {
      assertThatThrownBy(() -> task.call("Go", "")).isInstanceOf(TaskExit.class);
      assertThat(task.events).hasSize(1);
      assertThat(task.events.get(0)).contains(what.replace(" by the properties", ""));
    }
  }

  @Test
  void needsNoProcessForWhatItsJarsDoNotProvide() throws Exception {
    try (Task task =
        task(
            "plain",
            "return \"\" + (javax.imageio.ImageIO.getReaderFormatNames().length > 0) + System.getLogger(\"x\").getName()"
                + " + java.time.ZoneId.of(\"UTC\") + java.net.URI.create(\"file:/x\").toURL();")) {
      assertThat(task.call("Go", "")).isEqualTo("truexUTCfile:/x");
    }
  }

  @Test
  void whatIsNotPublicInItsPackageNeedsAProcess() throws Exception {
    Path classes =
        UserCode.compile(
            dir,
            "package org.apache.hadoop.io;\npublic class Inside implements java.util.function.Function<String, String> {"
                + " public String apply(String in) { return \"\" + new DataInputBuffer().getLength(); } }",
            "package org.apache.hadoop.fs;\npublic class Within implements java.util.function.Function<String, String> {"
                + " public String apply(String in) { return in + FileSystem.cacheSize(); } }");
    try (Task task = new Task(dir, "public", classes)) {
      assertThat(task.call("org.apache.hadoop.io.Inside", "")).isEqualTo("0");
    }
    try (Task task = new Task(dir, "hidden", classes)) {
      assertThatThrownBy(() -> task.call("org.apache.hadoop.fs.Within", "x"))
          .isInstanceOf(TaskExit.class);
      assertThat(task.events)
          .containsExactly(
              "needs a process: org.apache.hadoop.fs.Within uses"
                  + " org.apache.hadoop.fs.FileSystem.cacheSize of its package");
    }
  }

  @Test
  void aProxyOfHadoopsLoaderMayBeOfTheJobsInterface() throws Exception {
    String body =
        "return \"\" + java.lang.reflect.Proxy.newProxyInstance(org.apache.hadoop.io.Text.class.getClassLoader(),"
            + " new Class<?>[] {Own.class}, (p, m, a) -> \"made\"); } public interface Own {} void more() {";
    try (Task task = task("proxy", body)) {
      assertThat(task.call("Go", "")).isEqualTo("made");
    }
  }

  private static final class Listening implements TaskProcess.Listener {
    @Override
    public void onExit(int status, boolean halt) {}

    @Override
    public void onProcessNeeded(String what) {}

    @Override
    public void onUncaught(Thread thread, Throwable error) {}

    @Override
    public void onOutOfMemory(Thread thread, OutOfMemoryError error) {}
  }
}
