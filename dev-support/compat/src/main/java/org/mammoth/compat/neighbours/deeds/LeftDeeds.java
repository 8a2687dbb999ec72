// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.deeds;

import java.io.File;
import java.io.FileOutputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.mammoth.compat.neighbours.Deed;
import org.mammoth.compat.neighbours.Hostile;

/** Programs that leave something behind, and such that use what a process has to itself. */
public final class LeftDeeds {
  private LeftDeeds() {}

  @Hostile(value = "leaves a WatchService open", about = "left-open")
  static final class OpenWatch implements Deed {
    private static final List<Object> KEPT = new ArrayList<>();

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      KEPT.add(java.nio.file.FileSystems.getDefault().newWatchService());
      Path.of("")
          .toAbsolutePath()
          .register(
              (java.nio.file.WatchService) KEPT.get(0),
              java.nio.file.StandardWatchEventKinds.ENTRY_CREATE);
      return "watching";
    }
  }

  @Hostile(value = "leaves files open", about = "left-open")
  static final class OpenFiles implements Deed {
    private static final List<Object> KEPT = new ArrayList<>();

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      for (int i = 0; i < 20; i++) {
        KEPT.add(new FileOutputStream("left-" + i));
      }
      return KEPT.size() + " open";
    }
  }

  @Hostile(value = "leaves a daemon thread that speaks", about = "left-open")
  static final class DaemonThread implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Thread left =
          new Thread(
              () -> {
                try {
                  while (true) {
                    TimeUnit.MILLISECONDS.sleep(100);
                    System.out.println(MARK);
                  }
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              },
              MARK);
      left.setDaemon(true);
      left.start();
      return String.valueOf(left.isAlive());
    }
  }

  @Hostile(value = "leaves a timer and an executor", about = "left-open")
  static final class Timers implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      new java.util.Timer(MARK, true)
          .schedule(
              new java.util.TimerTask() {
                @Override
                public void run() {
                  System.out.println(MARK);
                }
              },
              100,
              100);
      ExecutorService left = Executors.newFixedThreadPool(2);
      return left.submit(() -> "left").get();
    }
  }

  @Hostile(value = "leaves a child process", about = "left-open")
  static final class ChildLeft implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return String.valueOf(new ProcessBuilder("sleep", "3").start().isAlive());
    }
  }

  @Hostile(value = "adds a shutdown hook that writes a file in its folder", about = "left-open")
  static final class ShutdownHook implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println(MARK)));
      return "added";
    }
  }

  @Hostile(value = "writes into its folder and deletes what was there", about = "process")
  static final class WorkFolder implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Files.writeString(Path.of("witness-file.xml"), MARK);
      new File("witness-file.xml").deleteOnExit();
      return Files.readString(Path.of("witness-file.xml"));
    }
  }

  @Hostile(value = "changes the environment of children", about = "process")
  static final class Environment implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      ProcessBuilder child = new ProcessBuilder("sh", "-c", "echo $HOSTILE");
      child.environment().clear();
      child.environment().put("HOSTILE", MARK);
      child.environment().put("PATH", "/usr/bin:/bin");
      return new String(child.start().getInputStream().readAllBytes()).trim();
    }
  }

  @Hostile(value = "lets a child write to its standard output", about = "process")
  static final class InheritIo implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return String.valueOf(new ProcessBuilder("echo", MARK).inheritIO().start().waitFor());
    }
  }

  @Hostile(value = "loads its classes in parallel streams", about = "class-loader")
  static final class ParallelStreams implements Deed {
    private static String load() {
      try {
        return Class.forName(
                LeftDeeds.class.getName() + "$ParallelStreams",
                true,
                Thread.currentThread().getContextClassLoader())
            .getSimpleName();
      } catch (ClassNotFoundException e) {
        return "not found";
      }
    }

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return IntStream.range(0, 64)
          .parallel()
          .mapToObj(i -> load())
          .distinct()
          .sorted()
          .toList()
          .toString();
    }
  }

  @Hostile(value = "loads its classes by the system class loader", about = "class-loader")
  static final class SystemLoader implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return ClassLoader.getSystemClassLoader()
              .loadClass(SystemLoader.class.getName())
              .getSimpleName()
          + (ClassLoader.getSystemResource("compat-bundle.properties") != null);
    }
  }

  @Hostile(value = "reads a class from what java.class.path names", about = "class-loader")
  static final class ClassPathProperty implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      String name = "/" + ClassPathProperty.class.getName().replace('.', '/') + ".class";
      for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
        Path entry = Path.of(each);
        if (Files.isRegularFile(entry)) {
          try (java.util.zip.ZipFile jar = new java.util.zip.ZipFile(entry.toFile())) {
            if (jar.getEntry(name.substring(1)) != null) {
              return "found";
            }
          } catch (java.util.zip.ZipException e) {
            continue;
          }
        }
      }
      return "not found";
    }
  }

  @Hostile(value = "reads relative names by URL, XML and log handlers", about = "process")
  static final class RelativeUrl implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Files.writeString(Path.of("relative.xml"), "<r/>");
      String byUrl = new String(new URL("file:relative.xml").openStream().readAllBytes());
      String byXml =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse("relative.xml")
              .getDocumentElement()
              .getTagName();
      java.util.logging.FileHandler log = new java.util.logging.FileHandler("relative.log");
      log.close();
      return byUrl + byXml + Files.exists(Path.of("relative.log"));
    }
  }

  @Hostile(value = "starts children in its folder", about = "process")
  static final class ChildFolder implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Files.writeString(Path.of("child.txt"), "here");
      return new String(Runtime.getRuntime().exec("cat child.txt").getInputStream().readAllBytes())
          + new String(
              new ProcessBuilder("cat", "child.txt").start().getInputStream().readAllBytes());
    }
  }

  @Hostile(value = "keeps state in system properties as if the JVM were its own", about = "process")
  static final class OneJvm implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Object before = System.getProperties().put(MARK, new Object());
      return String.valueOf(before);
    }
  }

  @Hostile(
      value = "fills soft references and direct memory, and calls the collector",
      about = "left-open")
  static final class Memory implements Deed {
    private static final List<Object> KEPT = new ArrayList<>();

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      KEPT.add(java.nio.ByteBuffer.allocateDirect(8 << 20));
      System.gc();
      System.runFinalization();
      return KEPT.size() + " kept";
    }
  }
}
