// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.deeds;

import java.io.File;
import java.io.OutputStream;
import java.net.JarURLConnection;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.URL;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.prefs.Preferences;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.mammoth.compat.neighbours.Deed;
import org.mammoth.compat.neighbours.Hostile;

/** Programs that use what the JDK has once per JVM for files. */
public final class FileDeeds {
  private FileDeeds() {}

  /** A jar that all processes of a node have. */
  private static URL shared() {
    return Text.class.getProtectionDomain().getCodeSource().getLocation();
  }

  @Hostile(value = "opens a jar that all have as a file system", about = "zip")
  static final class ZipFileSystem implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      URI jar = URI.create("jar:" + shared());
      String before;
      try {
        before = "open " + FileSystems.getFileSystem(jar).isOpen();
      } catch (FileSystemNotFoundException e) {
        before = "none";
      }
      FileSystem opened = FileSystems.newFileSystem(jar, Map.of());
      String twice;
      try {
        twice = "again " + FileSystems.newFileSystem(jar, Map.of()).isOpen();
      } catch (FileSystemAlreadyExistsException e) {
        twice = "once";
      }
      return before
          + " "
          + twice
          + " "
          + Files.exists(opened.getPath("META-INF/MANIFEST.MF"))
          + Files.exists(Path.of(URI.create(jar + "!/META-INF/MANIFEST.MF")));
    }
  }

  @Hostile(value = "closes the JDK's open jar that others read by URL", about = "zip")
  static final class ClosedJar implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      URL entry = new URL("jar:" + shared() + "!/META-INF/MANIFEST.MF");
      ((JarURLConnection) entry.openConnection()).getJarFile().close();
      try (java.io.InputStream in = entry.openStream()) {
        return String.valueOf(in.read() > 0);
      }
    }
  }

  @Hostile(value = "locks a file of its folder", about = "lock")
  static final class OwnLock implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      FileChannel file =
          FileChannel.open(
              Path.of("own.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = file.lock();
      try {
        return lock.isValid() + " " + file.tryLock();
      } catch (OverlappingFileLockException e) {
        return lock.isValid() + " overlapping";
      }
    }
  }

  @Hostile(
      value = "locks a file that all processes of the node have",
      about = "lock",
      mayNeedProcess = true)
  static final class SharedLock implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      // The jars are in a folder that belongs to the cluster; nobody deletes what is beside it.
      Path shared = Path.of("/tmp", MARK + ".lock");
      FileChannel file =
          FileChannel.open(shared, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try (FileLock lock = file.lock()) {
        return String.valueOf(lock.isValid());
      }
    }
  }

  @Hostile(value = "writes files by their file system's provider", about = "process")
  static final class FilesByProvider implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Path name = Path.of("by-provider.txt");
      FileSystemProvider provider = name.getFileSystem().provider();
      try (OutputStream out = provider.newOutputStream(name)) {
        out.write(7);
      }
      provider.move(name, Path.of("moved.txt"));
      return new File(System.getProperty("user.dir"), "moved.txt").exists()
          + " "
          + new File("moved.txt").length();
    }
  }

  @Hostile(value = "listens at a socket of its folder", about = "process", mayNeedProcess = true)
  static final class UnixSocket implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      server.bind(UnixDomainSocketAddress.of("own.sock"));
      return String.valueOf(Files.exists(Path.of("own.sock")));
    }
  }

  @Hostile(
      value = "keeps something in the user's preferences",
      about = "jdk-cache",
      mayNeedProcess = true)
  static final class UserPreferences implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Preferences own = Preferences.userRoot().node(MARK);
      String before = own.get(MARK, "none");
      own.put(MARK, "kept");
      String after = own.get(MARK, "none");
      own.removeNode();
      return before + " " + after;
    }
  }

  @Hostile(value = "deletes and makes links in its folder", about = "process")
  static final class Links implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Files.writeString(Path.of("linked.txt"), MARK);
      Files.createSymbolicLink(Path.of("link"), Path.of("linked.txt"));
      Files.createLink(Path.of("hard"), Path.of("linked.txt"));
      return Files.readSymbolicLink(Path.of("link"))
          + " "
          + Files.readString(Path.of("link"))
          + " "
          + Files.isSameFile(Path.of("hard"), Path.of("link"));
    }
  }
}
