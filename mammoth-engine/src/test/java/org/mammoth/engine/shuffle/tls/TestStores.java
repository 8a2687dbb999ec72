// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.tls;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;

/** Key and trust stores in a folder, and the two files in which Hadoop looks for them. */
public final class TestStores {

  static final String PASSWORD = "changeit";

  /** What this machine's loopback is called. */
  static final String LOOPBACK = "dns:localhost,ip:127.0.0.1";

  private final Path folder;
  private final Map<String, String> server = new TreeMap<>();
  private final Map<String, String> client = new TreeMap<>();

  public TestStores(Path folder) {
    this.folder = folder;
  }

  /** Makes a key with a certificate of its own, for the names given; more options of keytool. */
  Path key(String store, String names, String... more) throws IOException, InterruptedException {
    Path made = folder.resolve(store + ".jks");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair", "-alias", store, "-keyalg", "EC"));
    command.addAll(List.of("-dname", "CN=" + store, "-ext", "san=" + names));
    command.addAll(List.of("-storetype", "JKS", "-storepass", PASSWORD, "-keypass", PASSWORD));
    command.addAll(List.of("-keystore", made.toString()));
    command.addAll(List.of(more));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes());
    if (keytool.waitFor() != 0) {
      throw new IOException(said);
    }
    return made;
  }

  /** As {@link #key}, with a certificate that the holder of another key has signed. */
  Path signed(String store, String names, Path signer, String... more)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path made = Files.copy(signer, folder.resolve(store + ".jks"));
    List<String> options = new ArrayList<>(List.of(more));
    options.addAll(List.of("-signer", "ca", "-signerkeypass", PASSWORD));
    key(store, names, options.toArray(new String[0]));
    KeyStore held = KeyStore.getInstance("JKS");
    try (InputStream in = Files.newInputStream(made)) {
      held.load(in, PASSWORD.toCharArray());
    }
    held.deleteEntry("ca");
    try (OutputStream out = Files.newOutputStream(made)) {
      held.store(out, PASSWORD.toCharArray());
    }
    return made;
  }

  /** Makes a store, or another one in its place, of whoever holds the keys given. */
  Path trust(String store, Path... keys) throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("JKS");
    trusted.load(null, null);
    for (Path key : keys) {
      KeyStore held = KeyStore.getInstance("JKS");
      try (InputStream in = Files.newInputStream(key)) {
        held.load(in, PASSWORD.toCharArray());
      }
      for (String alias : java.util.Collections.list(held.aliases())) {
        trusted.setCertificateEntry(alias, held.getCertificate(alias));
      }
    }
    Path made = folder.resolve(store + ".jks");
    Path fresh = folder.resolve(store + ".new");
    try (OutputStream out = Files.newOutputStream(fresh)) {
      trusted.store(out, PASSWORD.toCharArray());
    }
    return Files.move(fresh, made, StandardCopyOption.REPLACE_EXISTING);
  }

  TestStores server(String key, Object value) {
    server.put("ssl.server." + key, value.toString());
    return this;
  }

  TestStores client(String key, Object value) {
    client.put("ssl.client." + key, value.toString());
    return this;
  }

  /** A server that shows a key. */
  TestStores serverShows(Path key) {
    return server("keystore.location", key).server("keystore.password", PASSWORD);
  }

  /** A client that trusts whoever is in a store. */
  TestStores clientTrusts(Path store) {
    return client("truststore.location", store).client("truststore.password", PASSWORD);
  }

  /** A configuration that wants TLS; what it says of stores is in files on the class path. */
  Configuration write() throws IOException {
    Configuration conf = new Configuration(false);
    conf.setBoolean("mapreduce.shuffle.ssl.enabled", true);
    write("ssl-server.xml", server);
    write("ssl-client.xml", client);
    return conf;
  }

  private void write(String name, Map<String, String> settings) throws IOException {
    Configuration file = new Configuration(false);
    settings.forEach(file::set);
    try (OutputStream out = Files.newOutputStream(folder.resolve(name))) {
      file.writeXml(out);
    }
  }

  /** What a process does that has the folder on its class path. */
  interface Work<T> {
    T run() throws Exception;
  }

  /** Does it. */
  <T> T onClassPath(Work<T> work) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
      thread.setContextClassLoader(loader);
      return work.run();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** TLS of both sides with one key, made for this JVM's loopback. */
  public static HadoopTls[] loopback() {
    try {
      TestStores stores = new TestStores(Files.createTempDirectory("tls"));
      Path key = stores.key("node", LOOPBACK);
      Configuration conf = stores.serverShows(key).clientTrusts(key).write();
      return stores.onClassPath(
          () -> new HadoopTls[] {HadoopTls.ofServer(conf), HadoopTls.ofClient(conf)});
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
