package org.mammoth.mapreduce.protocol;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The private folder of one engine process, through which its supervisor and it find each other,
 * also after a NodeManager restart: who it is for, the secret of its token, and once it listens,
 * its address. Readable by the NodeManager's user only.
 *
 * @param folder absolute; its name is the engine's id
 */
public record EngineHome(Path folder) {

  /** Second argument of an engine's main: it hosts MapReduce tasks. */
  public static final String TASKS = "tasks";

  /** Second argument of an engine's main: it hosts ApplicationMasters. */
  public static final String APP_MASTERS = "appmasters";

  private static final int SECRET_BYTES = 20;

  /**
   * What a listening engine says of itself.
   *
   * @param pid its process
   * @param port where it listens on the loopback interface
   * @param shufflePort where it serves map output to other nodes; 0 if it does not
   */
  public record Address(long pid, int port, int shufflePort) {}

  /**
   * How much of the node an engine was given, in MiB.
   *
   * @param share what its tasks may ask for together
   * @param heap its maximum Java heap
   * @param direct its cache pool outside the heap
   */
  public record Size(long share, long heap, long direct) {}

  /** Makes a new home with a fresh secret. */
  public static EngineHome create(Path parent, String engineId, String user) throws IOException {
    Path folder = parent.resolve(engineId);
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    EngineHome home = new EngineHome(folder);
    home.write("secret", HexFormat.of().formatHex(secret));
    home.write("user", user);
    return home;
  }

  public String engineId() {
    return folder.getFileName().toString();
  }

  /** The user whose tasks the engine runs. */
  public String user() throws IOException {
    return read("user");
  }

  /** Keeps the engine's size for a supervisor that takes it up later. */
  public void keep(Size size) throws IOException {
    write("size", size.share() + " " + size.heap() + " " + size.direct());
  }

  /** The engine's size; empty for an engine of an earlier release. */
  public Optional<Size> size() throws IOException {
    try {
      String[] words = read("size").split(" ");
      return Optional.of(
          new Size(Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2])));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** A Hadoop configuration file with what the supervisor sized the engine by. */
  public Path settings() {
    return folder.resolve("settings.xml");
  }

  /** The secret from which the token's password is made. */
  public byte[] secret() throws IOException {
    return HexFormat.of().parseHex(read("secret"));
  }

  /** Publishes the engine's address, at once or not at all. */
  public void publish(Address address) throws IOException {
    write("address", address.pid() + " " + address.port() + " " + address.shufflePort());
  }

  /** The engine's address, empty until it listens. */
  public Optional<Address> address() throws IOException {
    try {
      String[] words = read("address").split(" ");
      // An engine of an earlier release that is still running has said two words.
      return Optional.of(
          new Address(
              Long.parseLong(words[0]),
              Integer.parseInt(words[1]),
              words.length > 2 ? Integer.parseInt(words[2]) : 0));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Removes the folder and all in it; what cannot be removed stays. */
  public void delete() throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path dir, IOException failure)
              throws IOException {
            Files.delete(dir);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private String read(String name) throws IOException {
    return Files.readString(folder.resolve(name), StandardCharsets.UTF_8).trim();
  }

  private void write(String name, String text) throws IOException {
    Path draft = folder.resolve(name + ".new");
    Files.writeString(draft, text, StandardCharsets.UTF_8);
    Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-------"));
    Files.move(draft, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }
}
