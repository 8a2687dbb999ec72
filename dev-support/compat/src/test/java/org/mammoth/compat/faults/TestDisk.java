// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.faults;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A small real disk, a loop device with ext4, that a test may fill, hold up and break. Needs root;
 * {@link #missing} says what else.
 */
final class TestDisk implements AutoCloseable {
  /**
   * The number of ext4's ioctl that makes all further I/O of a file system fail, and its argument.
   */
  private static final String SHUT_DOWN =
      "import fcntl,os,struct,sys; fcntl.ioctl(os.open(sys.argv[1], os.O_RDONLY), 0x8004587d,"
          + " struct.pack('I', 2))";

  private static final int FILL_TRIES = 10;

  private Path image;
  private final Path mount;

  private TestDisk(Path image, Path mount) {
    this.image = image;
    this.mount = mount;
  }

  /** Makes and mounts one. */
  static TestDisk mount(Path folder, String name, int megabytes)
      throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Path image = folder.resolve(name + ".img");
    Path mount = Files.createDirectories(folder.resolve(name));
    run("truncate", "-s", megabytes + "M", image.toString());
    run("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", image.toString());
    TestDisk disk = new TestDisk(image, mount);
    disk.attach();
    return disk;
  }

  /** Why this machine has no such disks; empty if it has. */
  static String missing() {
    if (!"root".equals(System.getProperty("user.name"))) {
      return "disk faults need root for loop mounts";
    }
    try {
      run("losetup", "-f");
      run("sh", "-c", "command -v mkfs.ext4 fsfreeze python3");
      return "";
    } catch (IOException e) {
      return e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  private void attach() throws IOException, InterruptedException {
    run("mount", "-o", "loop", image.toString(), mount.toString());
    mount.toFile().setWritable(true, false);
  }

  Path folder() {
    return mount;
  }

  /** Leaves so much room, or some kilobytes if it is none; others may write meanwhile. */
  void fill(long megabytesLeft) throws IOException, InterruptedException {
    long taken = 0;
    for (int tries = 1; ; tries++) {
      long room = taken + mount.toFile().getUsableSpace() / (1 << 20) - megabytesLeft;
      if (room <= taken) {
        return;
      }
      try {
        run("fallocate", "-l", room + "M", ballast());
        return;
      } catch (IOException e) {
        if (tries == FILL_TRIES) {
          throw e;
        }
        // What it did get stays.
        taken = Files.exists(Path.of(ballast())) ? Files.size(Path.of(ballast())) / (1 << 20) : 0;
      }
    }
  }

  void empty() throws IOException {
    Files.deleteIfExists(Path.of(ballast()));
  }

  private String ballast() {
    return mount.resolve("ballast").toString();
  }

  /** Whoever writes has to wait. */
  void hold() throws IOException, InterruptedException {
    run("fsfreeze", "-f", mount.toString());
  }

  void letGo() throws IOException, InterruptedException {
    run("fsfreeze", "-u", mount.toString());
  }

  /** Everything fails from now on with an I/O error. */
  void fail() throws IOException, InterruptedException {
    run("sync", "-f", mount.toString());
    run("python3", "-c", SHUT_DOWN, mount.toString());
  }

  /**
   * Puts a copy with the same folders in the place of a disk that failed. The old one lives on, and
   * fails, as long as somebody has a file open there.
   */
  void repair() throws IOException, InterruptedException {
    run("umount", "-l", mount.toString());
    Path copy = image.resolveSibling(image.getFileName() + "+");
    run("cp", "--sparse=always", image.toString(), copy.toString());
    run("sh", "-c", "e2fsck -fy " + copy + " || [ $? -lt 4 ]");
    Files.delete(image);
    image = copy;
    attach();
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
      throw new IOException(String.join(" ", List.of(command)) + " failed: " + output.trim());
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    run("umount", "-l", mount.toString());
    Files.delete(image);
  }
}
