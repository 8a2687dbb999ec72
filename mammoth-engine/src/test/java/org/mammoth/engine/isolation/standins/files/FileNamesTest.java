// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mammoth.engine.isolation.Task;
import org.mammoth.engine.isolation.UserCode;

/** Relative names mean the task's working directory, and look as the user wrote them. */
@Timeout(60)
class FileNamesTest {
  @TempDir static Path dir;
  static Path classes;
  static Path special;

  @BeforeAll
  static void compile() throws Exception {
    classes =
        UserCode.compile(
            dir,
            UserCode.function(
                "Streams",
                "try (FileOutputStream o = new FileOutputStream(\"a.txt\")) { o.write(in.getBytes()); }\n"
                    + "try (FileOutputStream o = new FileOutputStream(\"a.txt\", true)) { o.write('!'); }\n"
                    + "try (FileInputStream i = new FileInputStream(\"a.txt\")) { return new String(i.readAllBytes()); }"),
            UserCode.function(
                "Writers",
                "try (FileWriter w = new FileWriter(\"a.txt\", java.nio.charset.StandardCharsets.UTF_8, false)) { w.write(in); }\n"
                    + "try (PrintWriter w = new PrintWriter(new FileWriter(\"a.txt\", true))) { w.print('!'); }\n"
                    + "try (BufferedReader r = new BufferedReader(new FileReader(\"a.txt\"))) { return r.readLine(); }"),
            UserCode.function(
                "Formatters",
                "try (Formatter f = new Formatter(\"a.txt\", \"UTF-8\", Locale.ROOT)) { f.format(\"%s!\", in); }\n"
                    + "try (Scanner s = new Scanner(Path.of(\"a.txt\"), \"UTF-8\")) { return s.next(); }"),
            UserCode.function(
                "Random",
                "try (RandomAccessFile f = new RandomAccessFile(\"a.txt\", \"rw\")) { f.writeBytes(in + \"!\"); f.seek(0);"
                    + " return f.readLine(); }"),
            UserCode.function(
                "Files1",
                "File f = new File(\"a.txt\"); try (Writer w = new FileWriter(f)) { w.write(in + \"!\"); }\n"
                    + "if (!f.exists() || f.length() != in.length() + 1) return \"not there\";\n"
                    + "try (Scanner s = new Scanner(new File(\"a.txt\"))) { return s.next(); }"),
            UserCode.function(
                "Nio",
                "Path p = Files.writeString(Paths.get(\"a.txt\"), in + \"!\");\n"
                    + "if (!p.toString().equals(\"a.txt\")) return \"shown as \" + p;\n"
                    + "return Files.readAllLines(Path.of(\"a.txt\")).get(0);"),
            UserCode.function(
                "Channel",
                "try (var c = java.nio.channels.FileChannel.open(Path.of(\"a.txt\"), StandardOpenOption.CREATE,"
                    + " StandardOpenOption.WRITE)) { c.write(java.nio.ByteBuffer.wrap((in + \"!\").getBytes())); }\n"
                    + "try (Reader r = new FileReader(new File(\"a.txt\"))) { return new BufferedReader(r).readLine(); }"),
            UserCode.function(
                "References",
                "Function<String, File> f = File::new; Function<File, String> path = File::getPath;\n"
                    + "try (Writer w = new FileWriter(f.apply(\"a.txt\"))) { w.write(in + \"!\"); }\n"
                    + "java.util.concurrent.Callable<String> read = () -> new BufferedReader(new FileReader(\"a.txt\")).readLine();\n"
                    + "return path.apply(f.apply(\"a.txt\")).equals(\"a.txt\") ? read.call() : path.apply(f.apply(\"a.txt\"));"),
            UserCode.function(
                "Nested",
                "File f = new File(in.isEmpty() ? new File(\"x\").getPath() : new File(new File(\"sub\"), \"deep/a.txt\").getPath());\n"
                    + "if (!f.getParentFile().mkdirs()) return \"no folder\";\n"
                    + "try (Writer w = new FileWriter(f)) { w.write(in + \"!\"); }\n"
                    + "if (!f.renameTo(new File(\"a.txt\"))) return \"not moved\";\n"
                    + "return Files.readString(new File(\"a.txt\").toPath());"),
            UserCode.function(
                "Library",
                "org.apache.commons.io.FileUtils.write(new File(\"a.txt\"), in + \"!\", \"UTF-8\");\n"
                    + "return org.apache.commons.io.FileUtils.readFileToString(new File(\"a.txt\"), \"UTF-8\");"));
  }

  @BeforeAll
  static void compileSpecial() throws Exception {
    special =
        UserCode.compile(
            dir.resolve("special"),
            UserCode.function(
                "Shown",
                "File f = new File(\"d/e.txt\"); StringBuilder b = new StringBuilder();\n"
                    + "b.append(f).append(' ').append(f.getPath()).append(' ').append(f.getParent()).append(' ');\n"
                    + "b.append(f.getParentFile()).append(' ').append(f.isAbsolute()).append(' ').append(f.toPath()).append(' ');\n"
                    + "b.append(new File(\"x\").getParent()).append(' ').append(new File(new File(\"\"), \"y\")).append(' ');\n"
                    + "new File(\"d\").mkdir(); f.createNewFile();\n"
                    + "for (File c : new File(\"d\").listFiles()) b.append(c).append(' ');\n"
                    + "for (File c : new File(\"d\").listFiles((FileFilter) x -> x.getPath().startsWith(\"d/\"))) b.append(c).append(' ');\n"
                    + "try (var s = Files.walk(Path.of(\"d\"))) { s.forEach(p -> b.append(p).append(' ')); }\n"
                    + "try (var s = Files.newDirectoryStream(Path.of(\"d\"))) { for (Path p : s) b.append(p).append(' '); }\n"
                    + "return b + in;"),
            UserCode.function(
                "Absolute",
                "return String.join(\" \", new File(\"\").getAbsolutePath(), new File(\"a\").getAbsolutePath(),\n"
                    + "  new File(\".\").getCanonicalPath(), Path.of(\"a\").toAbsolutePath().toString(),\n"
                    + "  Path.of(\"a\").toFile().getAbsolutePath(), System.getProperty(\"user.dir\") + \"/a\");"),
            UserCode.function(
                "Temporary",
                "File a = File.createTempFile(\"pre\", null); Path b = Files.createTempFile(\"pre\", \".x\");\n"
                    + "Path c = Files.createTempDirectory(\"pre\"); File d = new File(System.getProperty(\"java.io.tmpdir\"));\n"
                    + "a.deleteOnExit();\n"
                    + "return a.getParent() + ' ' + b.getParent() + ' ' + c.getParent() + ' ' + d;"),
            UserCode.function(
                "Children",
                "String r = \"\"; for (Process p : List.of(\n"
                    + "  new ProcessBuilder(\"sh\", \"-c\", \"echo $WHO $MORE; pwd\").start(),\n"
                    + "  more(new ProcessBuilder(List.of(\"sh\", \"-c\", \"echo $WHO $MORE; pwd\"))).start(),\n"
                    + "  Runtime.getRuntime().exec(new String[] {\"sh\", \"-c\", \"echo $WHO $MORE; pwd\"})))\n"
                    + "  r += new String(p.getInputStream().readAllBytes()).replace('\\n', ' ');\n"
                    + "return r; }\n"
                    + "ProcessBuilder more(ProcessBuilder b) { b.environment().put(\"MORE\", \"yes\"); return b;"),
            UserCode.function(
                "ChildFolders",
                "File sub = new File(\"sub\"); sub.mkdir(); String[] pwd = {\"sh\", \"-c\", \"pwd; echo out\"};\n"
                    + "ProcessBuilder b = new ProcessBuilder(pwd); File none = b.directory(); b.inheritIO(); b.start().waitFor();\n"
                    + "String r = none + \" \" + b.directory() + \" \" + b.redirectOutput().type() + ' ';\n"
                    + "b = new ProcessBuilder(pwd).directory(sub).redirectOutput(new File(\"sub/out\")); b.start().waitFor();\n"
                    + "r += b.directory() + \" \" + Files.readString(Path.of(\"sub/out\"));\n"
                    + "for (Process p : List.of(Runtime.getRuntime().exec(pwd, null, sub), Runtime.getRuntime().exec(\"pwd\", null, new File(\"sub\")),\n"
                    + "  ProcessBuilder.startPipeline(List.of(new ProcessBuilder(\"pwd\").directory(new File(\"sub\")))).get(0)))\n"
                    + "  r += new String(p.getInputStream().readAllBytes());\n"
                    + "return r.replace('\\n', ' ');"),
            UserCode.function(
                "Rest",
                "new File(\"tree/d\").mkdirs(); new File(\"tree/d/e\").createNewFile(); Files.writeString(Path.of(\"body\"), \"text\");\n"
                    + "StringBuilder b = new StringBuilder();\n"
                    + "for (java.util.logging.Handler h : List.of(new java.util.logging.FileHandler(\"one.log\", 1000, 1, true),\n"
                    + "  new java.util.logging.FileHandler(\"two.log\", 1000L, 1, false))) h.close();\n"
                    + "b.append(new File(\"one.log\").exists()).append(new File(\"two.log\").exists());\n"
                    + "b.append(java.net.http.HttpRequest.BodyPublishers.ofFile(Path.of(\"body\")).contentLength());\n"
                    + "b.append(java.lang.module.ModuleFinder.of(Path.of(\"tree\")).findAll().size());\n"
                    + "var p = FileSystems.getDefault().provider(); Path tree = Path.of(\"tree\");\n"
                    + "b.append(p.readAttributes(tree, \"isDirectory\").get(\"isDirectory\")).append(p.isHidden(tree)).append(p.isSameFile(tree, Path.of(\"./tree\")));\n"
                    + "try (DirectoryStream<Path> s = p.newDirectoryStream(tree, x -> true)) { for (Path x : s) b.append(x); }\n"
                    + "try (DirectoryStream<Path> s = Files.newDirectoryStream(tree)) { var secure = (SecureDirectoryStream<Path>) s;\n"
                    + "  try (SecureDirectoryStream<Path> below = secure.newDirectoryStream(Path.of(\"d\"))) { for (Path x : below) { b.append(x); below.deleteFile(x.getFileName()); } }\n"
                    + "  secure.deleteDirectory(Path.of(\"d\")); }\n"
                    + "try { Files.newDirectoryStream(tree, (DirectoryStream.Filter<Path>) null); } catch (NullPointerException e) { b.append(\"null\"); }\n"
                    + "try { getClass().getClassLoader().loadClass(\"No\"); } catch (ClassNotFoundException e) { b.append(e.getMessage()); }\n"
                    + "return b.append(new File(\"tree\").list().length).toString();"),
            UserCode.function(
                "Times",
                "Path p = Files.writeString(new File(\"times\").toPath(), in);\n"
                    + "var view = Files.getFileAttributeView(p, java.nio.file.attribute.BasicFileAttributeView.class);\n"
                    + "view.setTimes(t(12345000), t(23456000), null); view.setTimes(t(34567000), null, null);\n"
                    + "var a = Files.readAttributes(p, java.nio.file.attribute.BasicFileAttributes.class);\n"
                    + "return a.lastModifiedTime().toMillis() + \" \" + a.lastAccessTime().toMillis(); }\n"
                    + "java.nio.file.attribute.FileTime t(long ms) { return java.nio.file.attribute.FileTime.fromMillis(ms);"),
            UserCode.function(
                "Overridden",
                "File f = new File(\".\").getAbsoluteFile(); var own = new File(f, \"x\") {\n"
                    + "  public File[] listFiles() { return new File[3]; }\n"
                    + "  public File getCanonicalFile() { return new File(\"own\"); } };\n"
                    + "return org.apache.hadoop.fs.FileUtil.listFiles(own).length + \" \" + own.listFiles().length"
                    + " + \" \" + own.getCanonicalFile();"),
            "public class OwnReader extends java.io.FileReader {\n"
                + "  public OwnReader(String n) throws java.io.IOException { super(n); } }",
            "public class OwnFile extends java.io.File { private static final long serialVersionUID = 1;\n"
                + "  public OwnFile(String n) { super(new java.io.File(n).getAbsolutePath()); } }",
            UserCode.function(
                "Subclasses",
                "try (Writer w = new FileWriter(\"a.txt\")) { w.write(in + \"!\"); }\n"
                    + "if (!new OwnFile(\"a.txt\").exists()) return \"lost\";\n"
                    + "try (BufferedReader r = new BufferedReader(new OwnReader(\"a.txt\"))) { return r.readLine(); }"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Streams",
        "Writers",
        "Formatters",
        "Random",
        "Files1",
        "Nio",
        "Channel",
        "References",
        "Nested",
        "Library",
        "Subclasses"
      })
  void twoTasksWriteAndReadTheSameNameAtOnce(String code) throws Exception {
    try (Task a = new Task(dir, code + "-a", classes, special);
        Task b = new Task(dir, code + "-b", classes, special)) {
      CyclicBarrier together = new CyclicBarrier(2);
      AtomicReference<Object> fromB = new AtomicReference<>();
      Thread other =
          new Thread(
              () -> {
                try {
                  together.await();
                  fromB.set(b.call(code, "bbbb"));
                } catch (Exception | Error e) {
                  fromB.set(e);
                }
              });
      other.start();
      together.await();
      assertThat(a.call(code, "aa")).isEqualTo("aa!");
      other.join();
      assertThat(fromB.get()).isEqualTo("bbbb!");
      assertThat(a.work.resolve("a.txt")).hasContent("aa!");
      assertThat(b.work.resolve("a.txt")).hasContent("bbbb!");
      assertThat(Path.of("a.txt")).doesNotExist();
    }
  }

  @Test
  void timesAreKeptThatAreNotSet() throws Exception {
    try (Task task = new Task(dir, "times", special)) {
      assertThat(task.call("Times", "text")).isEqualTo("34567000 23456000");
    }
  }

  @Test
  void aFileOfTheJobsOwnKindIsAskedItself() throws Exception {
    try (Task task = new Task(dir, "overridden", special)) {
      assertThat(task.call("Overridden", "")).isEqualTo("3 3 own");
    }
  }

  @Test
  void namesLookAsWritten() throws Exception {
    try (Task task = new Task(dir, "shown", classes, special)) {
      assertThat(task.call("Shown", "."))
          .isEqualTo(
              "d/e.txt d/e.txt d d false d/e.txt null /y d/e.txt d/e.txt d d/e.txt d/e.txt .");
    }
  }

  @Test
  void areInTheOrderOfWhatIsWritten() throws Exception {
    String names = "alpha beta /gamma b/c delta epsilon /a zeta eta theta iota kappa";
    Set<File> set = new HashSet<>();
    for (String each : names.split(" ")) {
      set.add(new File(each));
    }
    Path hashed =
        UserCode.compile(
            dir.resolve("own"),
            UserCode.function(
                "Hashed",
                "Set<File> set = new HashSet<>(); for (String each : in.split(\" \")) set.add(new File(each));\n"
                    + "return set + \" \" + new TreeSet<>(set) + set.contains(new File(new File(\"b\"), \"c\"))\n"
                    + "  + new File(\"alpha\").equals(new File(\"alpha\").getAbsoluteFile())\n"
                    + "  + new File(\"alpha\").equals(new File(\"alpha\").getCanonicalFile());"));
    try (Task task = new Task(dir, "hashed", hashed)) {
      assertThat(task.call("Hashed", names))
          .isEqualTo(set + " " + new TreeSet<>(set) + true + false + false);
    }
  }

  @Test
  void absoluteNamesStartAtTheWorkingDirectory() throws Exception {
    try (Task task = new Task(dir, "absolute", classes, special)) {
      String w = task.work.toString();
      String a = w + "/a";
      assertThat(task.call("Absolute", ""))
          .isEqualTo(String.join(" ", w, a, task.work.toRealPath().toString(), a, a, a));
    }
  }

  @Test
  void temporaryFilesAreTheTasksAndGoWithIt() throws Exception {
    try (Task task = new Task(dir, "temporary", classes, special)) {
      String t = task.tmp.toString();
      assertThat(task.call("Temporary", "")).isEqualTo(String.join(" ", t, t, t, t));
      try (var before = Files.list(task.tmp)) {
        assertThat(before).hasSize(3);
      }
      task.process.runShutdownHooks(() -> false);
      try (var after = Files.list(task.tmp)) {
        assertThat(after).as("one was to go at exit").hasSize(2);
      }
    }
  }

  @Test
  void childrenBeginWhereTheTaskIsWithItsEnvironment() throws Exception {
    try (Task task = new Task(dir, "children", classes, special)) {
      String w = task.work.toRealPath().toString();
      assertThat(task.call("Children", ""))
          .isEqualTo("children " + w + " children yes " + w + " children " + w + " ");
    }
  }

  @Test
  void relativeFoldersOfChildrenAreTheTasksAndShownAsWritten() throws Exception {
    try (Task task = new Task(dir, "folders", classes, special)) {
      String sub = task.work.toRealPath() + "/sub ";
      assertThat(task.call("ChildFolders", ""))
          .isEqualTo("null null INHERIT sub " + sub + "out " + sub + "out " + sub + sub);
    }
  }

  @Test
  void whateverTakesANameTakesTheTasks() throws Exception {
    try (Task task = new Task(dir, "rest", classes, special)) {
      assertThat(task.call("Rest", "")).isEqualTo("truetrue40truefalsetruetree/dtree/d/enullNo0");
    }
  }
}
