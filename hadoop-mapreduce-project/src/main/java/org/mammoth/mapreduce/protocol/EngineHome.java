// SPDX-License-Identifier: Apache-2.0
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
import java.util.Optional;
import org.apache.commons.codec.DecoderException;
import org.apache.commons.codec.binary.Hex;

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
  private static final String OWNER_ONLY = "rw-------";
  private static final String OWNER_AND_GROUP = "rw-r-----";
  private static final int LAST_PORT = 0xffff;

  /**
   * What a listening engine says of itself.
   *
   * @param pid its process
   * @param port where it listens on the loopback interface
   * @param shufflePort where it serves map output to other nodes; 0 if it does not
   */
  public record Address(long pid, int port, int shufflePort) {

    /**
     * Reads what {@link #toText} made.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static Address of(String text) {
      String[] words = text.trim().split(" ");
      if (words.length < 2) {
        throw new IllegalArgumentException("no address of an engine");
      }
      // An engine of an earlier release that is still running has said two words.
      return new Address(
          Long.parseLong(words[0]), port(words[1]), words.length > 2 ? port(words[2]) : 0);
    }

    private static int port(String word) {
      int port = Integer.parseInt(word);
      if (port < 0 || port > LAST_PORT) {
        throw new IllegalArgumentException(port + " is no port");
      }
      return port;
    }

    private String toText() {
      return pid + " " + port + " " + shufflePort;
    }
  }

  /**
   * How much of the node an engine was given, in MiB.
   *
   * @param share what its tasks may ask for together
   * @param heap its maximum Java heap
   * @param direct its cache pool outside the heap
   */
  public record Size(long share, long heap, long direct) {}

  /**
   * Makes the home of an engine out of what its NodeManager has sent it: for one that runs as its
   * user, and so cannot see the home that the NodeManager has of it.
   *
   * @param folder is there, and nobody else may read it
   */
  public static EngineHome receive(Path folder, String secret, String user, byte[] settings)
      throws IOException {
    EngineHome home = new EngineHome(folder);
    home.write("secret", secret, OWNER_ONLY);
    home.write("user", user, OWNER_ONLY);
    Files.write(home.settings(), settings);
    Files.setPosixFilePermissions(home.settings(), PosixFilePermissions.fromString(OWNER_ONLY));
    return home;
  }

  /** Makes a new home with a fresh secret. */
  public static EngineHome create(Path parent, String engineId, String user) throws IOException {
    Path folder = parent.resolve(engineId);
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    EngineHome home = new EngineHome(folder);
    home.write("secret", Hex.encodeHexString(secret), OWNER_ONLY);
    home.write("user", user, OWNER_ONLY);
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
    write("size", size.share() + " " + size.heap() + " " + size.direct(), OWNER_ONLY);
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

  /**
   * Keeps what tells this run of the machine from others, for a supervisor that asks later whose a
   * process's number is.
   */
  public void keepBoot(String boot) throws IOException {
    write("boot", boot, OWNER_ONLY);
  }

  /** What {@link #keepBoot} was told; empty if it was not, as by an earlier release. */
  public Optional<String> boot() throws IOException {
    try {
      return Optional.of(read("boot"));
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
    try {
      return Hex.decodeHex(read("secret"));
    } catch (DecoderException e) {
      throw new IOException("The secret of engine " + engineId() + " is damaged", e);
    }
  }

  /** Publishes the engine's address, at once or not at all. */
  public void publish(Address address) throws IOException {
    write("address", address.toText(), OWNER_ONLY);
  }

  /** The same for an engine that runs as its user: the NodeManager's group may read it. */
  public void publishToGroup(Address address) throws IOException {
    write("address", address.toText(), OWNER_AND_GROUP);
  }

  /** The engine's address, empty until it listens. */
  public Optional<Address> address() throws IOException {
    try {
      return Optional.of(Address.of(read("address")));
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

  private void write(String name, String text, String mode) throws IOException {
    Path draft = folder.resolve(name + ".new");
    Files.writeString(draft, text, StandardCharsets.UTF_8);
    Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString(mode));
    Files.move(draft, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }
}
