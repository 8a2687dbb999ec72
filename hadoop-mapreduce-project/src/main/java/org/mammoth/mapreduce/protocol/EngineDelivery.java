// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.protocol;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.codec.binary.Hex;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;

/**
 * What a NodeManager gives an engine that runs as its user, in the credentials file of its launch:
 * the one file that upstream's {@code container-executor} hands to nobody but the user (mode 0600).
 */
public final class EngineDelivery {

  private static final Text SECRET = new Text("mammoth.engine.secret");
  private static final Text USER = new Text("mammoth.engine.user");
  private static final Text SETTINGS = new Text("mammoth.engine.settings");

  private EngineDelivery() {}

  /**
   * Writes the file, for the NodeManager's eyes only.
   *
   * @param home the NodeManager's own of this engine
   * @param settings a configuration file
   */
  public static void write(Path file, EngineHome home, byte[] settings) throws IOException {
    Credentials credentials = new Credentials();
    credentials.addSecretKey(SECRET, home.secret());
    credentials.addSecretKey(USER, home.user().getBytes(StandardCharsets.UTF_8));
    credentials.addSecretKey(SETTINGS, settings);
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (OutputStream out = Files.newOutputStream(file)) {
      credentials.writeTokenStorageToStream(new DataOutputStream(out));
    }
  }

  /** Makes the engine's home out of its copy of the file, which goes: it has been read. */
  public static EngineHome receive(Path folder, Path file) throws IOException {
    Credentials credentials =
        Credentials.readTokenStorageFile(file.toFile(), new Configuration(false));
    EngineHome home =
        EngineHome.receive(
            folder,
            Hex.encodeHexString(credentials.getSecretKey(SECRET)),
            new String(credentials.getSecretKey(USER), StandardCharsets.UTF_8),
            credentials.getSecretKey(SETTINGS));
    Files.delete(file);
    return home;
  }
}
