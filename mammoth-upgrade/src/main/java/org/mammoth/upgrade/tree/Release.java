// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.tree;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is brought to a node: the jars of one build of Mammoth.
 *
 * @param jars sorted by name
 * @param version as in {@code 0.1.0}
 * @param id version and a digest of the jars, which tells builds of one version apart
 * @param profile the shell profile that puts them on class paths
 */
public record Release(List<Path> jars, String version, String id, Path profile) {

  private static final int DIGITS = 12;
  private static final int CHUNK = 1 << 16;

  /**
   * The release that this command came with.
   *
   * @param base folder of the unpacked archive
   * @throws IOException if something of it is missing; the message says what
   */
  public static Release at(Path base) throws IOException {
    Path folder = base.resolve("share/hadoop/mammoth");
    Path version = folder.resolve("VERSION");
    Path profile = folder.resolve("upgrade/profile.sh");
    if (!Files.isReadable(version) || !Files.isReadable(profile)) {
      throw new IOException(
          base + " is no unpacked add-on or release of Mammoth: " + version + " is missing");
    }
    String number = Files.readAllLines(version).get(0).replaceFirst("^Mammoth ", "").trim();
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> jars =
          files.filter(file -> file.getFileName().toString().endsWith(".jar")).sorted().toList();
      if (jars.isEmpty()) {
        throw new IOException("no jar in " + folder);
      }
      return new Release(jars, number, number + "-" + digest(jars), profile);
    }
  }

  private static String digest(List<Path> jars) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] chunk = new byte[CHUNK];
      for (Path jar : jars) {
        digest.update(jar.getFileName().toString().getBytes(StandardCharsets.UTF_8));
        try (InputStream in = Files.newInputStream(jar)) {
          for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
            digest.update(chunk, 0, read);
          }
        }
      }
      return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Bytes of its jars. */
  public long bytes() throws IOException {
    long sum = 0;
    for (Path jar : jars) {
      sum += Files.size(jar);
    }
    return sum;
  }
}
