// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.deeds;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.mammoth.compat.neighbours.Deed;
import org.mammoth.compat.neighbours.Hostile;

/** Programs that ask which process they are, and act on processes. */
public final class ProcessDeeds {
  private ProcessDeeds() {}

  private static String said(String... command) throws IOException {
    Process child = new ProcessBuilder(command).start();
    return new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
  }

  @Hostile(value = "finds itself among processes in four ways", about = "process-number")
  static final class OwnNumber implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      long own = ProcessHandle.current().pid();
      String byBean = ManagementFactory.getRuntimeMXBean().getName().split("@")[0];
      boolean listed = ProcessHandle.allProcesses().anyMatch(each -> each.pid() == own);
      return byBean.equals(String.valueOf(own))
          + " "
          + ProcessHandle.of(own).isPresent()
          + " "
          + listed
          + " "
          + ProcessHandle.current().isAlive();
    }
  }

  @Hostile(value = "finds its number by links of /proc", about = "process-number")
  static final class NumberByLinks implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      String own = String.valueOf(ProcessHandle.current().pid());
      return own.equals(Files.readSymbolicLink(Path.of("/proc/self")).toString())
          + " "
          + own.equals(new File("/proc/self").getCanonicalFile().getName())
          + " "
          + own.equals(Path.of("/proc/self").toRealPath().getFileName().toString())
          + " "
          + new File("/proc/" + own + "/status").exists();
    }
  }

  @Hostile(value = "ends all children that it finds", about = "process-number")
  static final class ChildrenEnded implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Process child = new ProcessBuilder("sleep", "60").start();
      boolean listed =
          ProcessHandle.current().children().anyMatch(each -> each.pid() == child.pid());
      long parent = child.toHandle().parent().map(ProcessHandle::pid).orElse(0L);
      ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
      return listed
          + " "
          + (parent == ProcessHandle.current().pid())
          + " "
          + child.waitFor(20, TimeUnit.SECONDS);
    }
  }

  @Hostile(
      value = "has a child say who its parent is",
      about = "process-number",
      mayNeedProcess = true)
  static final class ParentOfChildren implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return String.valueOf(
          said("sh", "-c", "echo $PPID").equals(ProcessHandle.current().pid() + ""));
    }
  }

  @Hostile(
      value = "has a child kill its parent",
      about = "process-number",
      mayNeedProcess = true,
      ends = true)
  static final class ParentKilled implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      said("sh", "-c", "kill -9 $PPID");
      TimeUnit.SECONDS.sleep(5);
      return "alive";
    }
  }

  @Hostile(
      value = "has a child kill the group of processes",
      about = "process-number",
      mayNeedProcess = true,
      ends = true)
  static final class GroupKilled implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      said("sh", "-c", "kill -9 0");
      TimeUnit.SECONDS.sleep(5);
      return "alive";
    }
  }

  @Hostile(
      value = "raises a signal that ends it",
      about = "jdk-call",
      mayNeedProcess = true,
      ends = true)
  static final class SignalRaised implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      sun.misc.Signal.raise(new sun.misc.Signal("TERM"));
      TimeUnit.SECONDS.sleep(20);
      return "alive";
    }
  }

  @Hostile(value = "exits in a thread of its own", about = "jdk-call", ends = true)
  static final class ExitInThread implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      new Thread(() -> System.exit(0)).start();
      TimeUnit.SECONDS.sleep(20);
      return "alive";
    }
  }

  @Hostile(value = "halts while it is ending", about = "jdk-call", ends = true)
  static final class HaltInHook implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(9)));
      System.exit(3);
      return "alive";
    }
  }

  @Hostile(value = "writes to its streams by their descriptors and names", about = "descriptor")
  static final class Descriptors implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      byte[] line = (MARK + " by descriptor\n").getBytes(StandardCharsets.UTF_8);
      new FileOutputStream(FileDescriptor.out).write(line);
      Files.write(Path.of("/proc/self/fd/1"), line, StandardOpenOption.APPEND);
      Files.write(Path.of("/dev/fd/2"), line, StandardOpenOption.APPEND);
      Files.writeString(Path.of("/proc/self/cwd/by-link"), MARK);
      return Files.exists(Path.of("by-link"))
          + " "
          + Files.readSymbolicLink(Path.of("/proc/self/fd/1")).getFileName()
          + " "
          + new File("/proc/self/cwd").getCanonicalPath().equals(System.getProperty("user.dir"));
    }
  }

  @Hostile(
      value = "changes its environment by reflection",
      about = "environment",
      settings =
          "mapreduce.map.java.opts=-Xmx400m --add-opens=java.base/java.util=ALL-UNNAMED"
              + " --add-opens=java.base/java.lang=ALL-UNNAMED")
  static final class EnvironmentByReflection implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Map<String, String> all = System.getenv();
      Field inner = all.getClass().getDeclaredField("m");
      inner.setAccessible(true);
      @SuppressWarnings("unchecked")
      Map<String, String> open = (Map<String, String>) inner.get(all);
      open.put("HOSTILE_MARK", MARK);
      open.remove("LANG");
      return System.getenv("HOSTILE_MARK") + System.getenv("LANG");
    }
  }

  @Hostile(value = "starts a pipeline of children", about = "process")
  static final class Pipeline implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Files.writeString(Path.of("pipe.txt"), "b\na\n");
      List<Process> all =
          ProcessBuilder.startPipeline(
              List.of(new ProcessBuilder("cat", "pipe.txt"), new ProcessBuilder("sort")));
      return new String(all.get(1).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
