// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what each line of its input says, and emits the line with what came of it.
 *
 * <p>A line that begins with {@code once} is carried out in the task's first attempt only, so that
 * a job may recover from what it does.
 */
public final class ProbeMapper extends Mapper<LongWritable, Text, Text, Text> {
  private static final Logger LOG = LoggerFactory.getLogger(ProbeMapper.class);

  /** In a process of its own, each task has its own. */
  private static long shared;

  private static final List<Object> LEAKED = new ArrayList<>();

  @Override
  protected void setup(Context context) throws IOException {
    TaskNote.leave(context.getConfiguration());
  }

  @Override
  protected void map(LongWritable offset, Text line, Context context)
      throws IOException, InterruptedException {
    String command = line.toString();
    if (command.startsWith("once ")) {
      command =
          context.getTaskAttemptID().getId() == 0 ? command.substring("once ".length()) : "pass";
    }
    int space = command.indexOf(' ');
    String name = space < 0 ? command : command.substring(0, space);
    String argument = space < 0 ? "" : command.substring(space + 1);
    context.write(line, new Text(carryOut(name, argument, context)));
  }

  private String carryOut(String name, String argument, Context context)
      throws IOException, InterruptedException {
    switch (name) {
      case "pass":
        return "passed";
      case "exit":
        System.exit(Integer.parseInt(argument));
        return "survived an exit";
      case "halt":
        Runtime.getRuntime().halt(Integer.parseInt(argument));
        return "survived a halt";
      case "stack":
        return "depth " + deeper(0);
      case "heap":
        return "length " + new long[Integer.MAX_VALUE - 8].length;
      case "hog":
        return "blocks " + hog();
      case "leak":
        return "leaked " + leak(Long.parseLong(argument));
      case "keep":
        return "kept " + keep(Integer.parseInt(argument));
      case "churn":
        return "churned " + churn(Long.parseLong(argument), context);
      case "leave":
        leaveThread(argument.equals("stubborn"));
        return "left";
      case "error":
        Thread dying = new Thread(ProbeMapper::fail, "dying");
        dying.start();
        dying.join();
        pause(60_000, context);
        return "survived an error of a thread";
      case "loop":
        loop(argument.equals("stubborn"));
        return "looped";
      case "count":
        return count(Long.parseLong(argument));
      default:
        return ask(name, argument, context);
    }
  }

  private String ask(String name, String argument, Context context)
      throws IOException, InterruptedException {
    switch (name) {
      case "sleep":
        pause(Long.parseLong(argument), context);
        return "slept";
      case "say":
        say(argument + " " + context.getTaskAttemptID());
        return "said";
      case "file":
        return Files.readString(java.nio.file.Path.of(argument)).trim();
      case "library":
        return readByLibraries(argument);
      case "resource":
        return findAsResource(argument);
      case "hdfs":
        Path path = new Path(argument);
        try (FSDataInputStream in = path.getFileSystem(context.getConfiguration()).open(path)) {
          return new String(in.readAllBytes(), StandardCharsets.UTF_8).trim();
        }
      case "local":
        return readLocally(new Path(argument), context);
      case "first":
        return firstLocal();
      case "reads":
        return RandomReads.of(argument, context.getConfiguration());
      case "property":
        return String.valueOf(System.getProperty(argument));
      case "environment":
        return String.valueOf(System.getenv(argument));
      case "coder":
        return coder();
      case "added":
        return countInAddedJar();
      default:
        throw new IOException("no such command: " + name);
    }
  }

  private static void fail() {
    throw new AssertionError("a thread's error");
  }

  /** What classes that tasks share find under a name: a library's, which opens it, and Hadoop's. */
  private static String readByLibraries(String name) throws IOException {
    List<String> lines = new ArrayList<>(FileUtils.readLines(new File(name), "UTF-8"));
    try (InputStream in = FileSystem.getLocal(new Configuration()).open(new Path(name))) {
      lines.add(new String(in.readAllBytes(), StandardCharsets.UTF_8).trim());
    }
    return String.join(", ", lines);
  }

  /** The first local file system that a task asks for is of the class that it asks for. */
  private static String firstLocal() throws IOException {
    Configuration conf = new Configuration();
    conf.setClass("fs.file.impl", RawLocalFileSystem.class, FileSystem.class);
    FileSystem local = FileSystem.get(URI.create("file:///"), conf);
    return local.getClass().getSimpleName()
        + " in "
        + new File("").getAbsolutePath().equals(local.getWorkingDirectory().toUri().getPath());
  }

  /** Who finds a file of the container's folder as a resource: it is on the class path. */
  private static String findAsResource(String name) throws IOException {
    String here = new File(name).toURI().toString();
    Map<String, URL> found = new LinkedHashMap<>();
    found.put("own", ProbeMapper.class.getResource("/" + name));
    found.put("loader", ProbeMapper.class.getClassLoader().getResource(name));
    found.put("all", ProbeMapper.class.getClassLoader().getResources(name).nextElement());
    found.put("thread", Thread.currentThread().getContextClassLoader().getResource(name));
    found.put("system", ClassLoader.getSystemResource(name));
    found.put("shared", Configuration.class.getResource("/" + name));
    found.put("configuration", new Configuration().getResource(name));
    found.values().removeIf(url -> url == null || !url.toString().equals(here));
    return String.join(" ", found.keySet());
  }

  /** How much of a file the task read from the DataNode's disk itself. */
  private static String readLocally(Path path, Context context) throws IOException {
    try (HdfsDataInputStream in =
        (HdfsDataInputStream) path.getFileSystem(context.getConfiguration()).open(path)) {
      long bytes = in.transferTo(OutputStream.nullOutputStream());
      return in.getReadStatistics().getTotalShortCircuitBytesRead() + " of " + bytes;
    }
  }

  /** The class that turns a text's string into bytes. */
  private static String coder() {
    try {
      return "nothing was coded: " + new Text((String) null);
    } catch (NullPointerException e) {
      return e.getStackTrace()[0].getClassName();
    }
  }

  /**
   * Counts in a static field of a library that is on the nodes' class path, and none of Hadoop's.
   */
  private static String countInAddedJar() throws IOException {
    try {
      Class<?> library = Class.forName("org.assertj.core.presentation.StandardRepresentation");
      int before = (int) library.getMethod("getMaxElementsForPrinting").invoke(null);
      library.getMethod("setMaxElementsForPrinting", int.class).invoke(null, before + 1);
      return String.valueOf(before);
    } catch (ReflectiveOperationException e) {
      throw new IOException("the node lacks AssertJ, or has another", e);
    }
  }

  private static long deeper(long depth) {
    return deeper(depth + 1) + 1;
  }

  private static int hog() {
    List<byte[]> blocks = new ArrayList<>();
    while (true) {
      blocks.add(new byte[8 << 20]);
    }
  }

  /** Keeps small objects for ever, so many megabytes a second. */
  private static int keep(int megabytes) {
    List<byte[]> kept = new ArrayList<>();
    for (int i = 0; i < 4 * megabytes; i++) {
      kept.add(new byte[256 << 10]);
    }
    return kept.size() / 4;
  }

  private static int leak(long megabytesPerSecond) {
    long perPause = megabytesPerSecond * (1 << 20) / 64 / 100;
    while (LEAKED.size() < Integer.MAX_VALUE - 8) {
      for (long i = 0; i < perPause; i++) {
        LEAKED.add(new byte[40]);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    return LEAKED.size();
  }

  /** Makes garbage for a while, far more than a heap holds, and keeps a little; sums it all up. */
  private static String churn(long megabytes, Context context) {
    byte[][] kept = new byte[1000][];
    long sum = 0;
    for (long i = 0; i < megabytes * 1024; i++) {
      byte[] made = new byte[1024];
      made[(int) (i % 1024)] = (byte) i;
      kept[(int) (i % kept.length)] = made;
      sum = 31 * sum + made[(int) (i % 1024)] + kept[(int) (i / 7 % kept.length)].length;
      if (i % 20_000 == 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        context.progress();
      }
    }
    return Long.toHexString(sum);
  }

  private static void leaveThread(boolean stubborn) {
    new Thread(() -> loop(stubborn), "left-behind").start();
  }

  private static void loop(boolean stubborn) {
    long turns = 0;
    while (stubborn || !Thread.currentThread().isInterrupted()) {
      turns++;
      if (turns % 1000 == 0 && !nap()) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Sleeps a little, so that a test's endless loop leaves the machine to others; false if
   * interrupted.
   */
  private static boolean nap() {
    try {
      TimeUnit.MILLISECONDS.sleep(5);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** Adds to a static field, slowly, so that a concurrent task would be seen. */
  private static String count(long times) throws InterruptedException {
    for (long i = 0; i < times; i++) {
      shared++;
      TimeUnit.MILLISECONDS.sleep(1);
    }
    return Long.toString(shared);
  }

  private static void pause(long millis, Context context) throws InterruptedException {
    for (long slept = 0; slept < millis; slept += 100) {
      TimeUnit.MILLISECONDS.sleep(100);
      context.progress();
    }
  }

  private static void say(String text) throws InterruptedException {
    System.out.println("out " + text);
    System.err.println("err " + text);
    LOG.info("log {}", text);
    Thread child = new Thread(() -> System.out.println("child " + text), "speaking-child");
    child.start();
    child.join();
  }
}
