// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** The engine processes that this JVM's node has started. */
public final class Engines {
  private static final String MAIN = "org.mammoth.mapreduce.engine.EngineMain";
  private static final String TASKS = "tasks";
  private static final String APP_MASTERS = "appmasters";
  private static final String USER = "-Dmammoth.engine.user=";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Engines() {}

  /** All running engines of task kind. */
  public static List<ProcessHandle> running() {
    return ofRole(TASKS).toList();
  }

  /**
   * The one engine of a user; other users' engines may be left from other suites. One that has just
   * died may not have its successor yet, which is awaited.
   */
  public static ProcessHandle of(String user) {
    return theOne(TASKS, user);
  }

  /** The standing host of a user's ApplicationMasters, awaited as an engine is. */
  public static ProcessHandle appMasterHostOf(String user) {
    return theOne(APP_MASTERS, user);
  }

  private static ProcessHandle theOne(String role, String user) {
    return Awaitility.await("the one process of " + user + " for " + role)
        .atMost(PATIENCE)
        .until(
            () ->
                ofRole(role).filter(process -> commandLine(process).contains(USER + user)).toList(),
            own -> own.size() == 1)
        .get(0);
  }

  /** The private folder of an engine, in the first local folder of its node. */
  public static Path home(ProcessHandle engine) {
    List<String> words = commandLine(engine);
    return Path.of(words.size() < 2 ? "" : words.get(words.size() - 2));
  }

  /** Kills an engine as {@code kill -9} does. */
  public static void kill(ProcessHandle engine) {
    engine.destroyForcibly();
  }

  /** Kills all engines and all hosts of ApplicationMasters; the next jobs start new ones. */
  public static void killAll() {
    Stream.concat(ofRole(TASKS), ofRole(APP_MASTERS)).forEach(Engines::kill);
  }

  /** The names of all threads of all engines. */
  public static List<String> threads() throws IOException, InterruptedException {
    List<String> names = new ArrayList<>();
    for (ProcessHandle engine : running()) {
      command(engine, "Thread.print")
          .lines()
          .filter(line -> line.startsWith("\""))
          .forEach(names::add);
    }
    return names;
  }

  /** What the JDK's diagnostic command says about an engine. */
  public static String command(ProcessHandle engine, String... words)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
    command.add(Long.toString(engine.pid()));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed: " + output);
    }
    return output;
  }

  private static Stream<ProcessHandle> ofRole(String role) {
    return ProcessHandle.current()
        .descendants()
        .filter(ProcessHandle::isAlive)
        .filter(process -> isOfRole(process, role));
  }

  private static boolean isOfRole(ProcessHandle process, String role) {
    List<String> words = commandLine(process);
    return words.contains(MAIN) && words.get(words.size() - 1).equals(role);
  }

  /** A process's words; none if it has ended. */
  private static List<String> commandLine(ProcessHandle process) {
    try {
      String command = Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
      return List.of(command.split("\0"));
    } catch (IOException e) {
      return List.of();
    }
  }
}
