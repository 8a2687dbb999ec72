// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.cluster;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;

/**
 * One key for all nodes of a cluster, and {@code ssl-server.xml} and {@code ssl-client.xml} where
 * NodeManagers, engines and ordinary containers find them: on their class paths. Servers ask for
 * certificates of clients.
 */
public final class TlsFiles implements AutoCloseable {
  private static final String PASSWORD = "changeit";

  private final Path ofDaemons;
  private final Path ofContainers;
  private final String name = "tls-" + UUID.randomUUID();

  /**
   * Makes the key and the files.
   *
   * @param folder an empty folder, for what containers see
   */
  public TlsFiles(Path folder) throws IOException, InterruptedException {
    Path classes =
        Path.of(TlsFiles.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    ofDaemons = Files.createDirectories(classes.resolve(name));
    ofContainers = folder;
    Files.createDirectories(folder.resolve(name));
    Path store = folder.resolve("node.jks");
    makeKey(store);
    write("server", store);
    write("client", store);
  }

  private static void makeKey(Path store) throws IOException, InterruptedException {
    InetAddress host = InetAddress.getLocalHost();
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "node",
                "-keyalg",
                "EC",
                "-dname",
                "CN=node",
                "-ext",
                "san=dns:localhost,ip:127.0.0.1,dns:"
                    + host.getHostName()
                    + ",dns:"
                    + host.getCanonicalHostName(),
                "-storetype",
                "JKS",
                "-storepass",
                PASSWORD,
                "-keypass",
                PASSWORD,
                "-keystore",
                store.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes());
    if (keytool.waitFor() != 0) {
      throw new IOException(said);
    }
  }

  private void write(String side, Path store) throws IOException {
    Configuration conf = new Configuration(false);
    for (String what : new String[] {"keystore", "truststore"}) {
      conf.set("ssl." + side + "." + what + ".location", store.toString());
      conf.set("ssl." + side + "." + what + ".password", PASSWORD);
    }
    for (Path folder : new Path[] {ofDaemons, ofContainers.resolve(name)}) {
      try (OutputStream out = Files.newOutputStream(folder.resolve("ssl-" + side + ".xml"))) {
        conf.writeXml(out);
      }
    }
  }

  /** What the cluster's configuration says of them. */
  public Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    settings.put("mapreduce.shuffle.ssl.enabled", "true");
    settings.put("hadoop.ssl.require.client.cert", "true");
    settings.put("hadoop.ssl.server.conf", name + "/ssl-server.xml");
    settings.put("hadoop.ssl.client.conf", name + "/ssl-client.xml");
    // Engines leave out folders with classes, and the files stand in one.
    settings.put("mammoth.engine.shared-jars", "**/target/classes,**/target/test-classes");
    settings.put(
        "mapreduce.application.classpath",
        ofContainers + "," + MiniCluster.classPath().replace(File.pathSeparator, ","));
    return settings;
  }

  @Override
  public void close() throws IOException {
    for (String side : new String[] {"server", "client"}) {
      Files.deleteIfExists(ofDaemons.resolve("ssl-" + side + ".xml"));
    }
    Files.deleteIfExists(ofDaemons);
  }
}
