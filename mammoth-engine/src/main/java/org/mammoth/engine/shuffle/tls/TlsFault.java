// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.tls;

import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.ssl.SSLFactory;
import org.mammoth.engine.config.ShuffleKeys;

/** Finds out which file and which key keep a side from having TLS. One thread. */
final class TlsFault {

  private final SSLFactory.Mode mode;
  private final Configuration conf;
  private final String side;
  private final String fileKey;
  private final String file;

  TlsFault(SSLFactory.Mode mode, Configuration conf) {
    this.mode = mode;
    this.conf = conf;
    boolean server = mode == SSLFactory.Mode.SERVER;
    side = mode.name().toLowerCase(Locale.ROOT);
    fileKey = server ? SSLFactory.SSL_SERVER_CONF_KEY : SSLFactory.SSL_CLIENT_CONF_KEY;
    file =
        conf.get(
            fileKey,
            server ? SSLFactory.SSL_SERVER_CONF_DEFAULT : SSLFactory.SSL_CLIENT_CONF_DEFAULT);
  }

  /** One line for whoever runs the node. */
  String describe(Exception cause) {
    return ShuffleKeys.SSL_ENABLED
        + " is true and the shuffle's "
        + side
        + " side has no TLS: "
        + what(cause)
        + ". Correct that and start this process again; until then stock Hadoop's shuffle is used";
  }

  private String what(Exception cause) {
    // As Hadoop looks for it: with the thread's class loader.
    URL found = new Configuration(false).getResource(file);
    String where = found == null ? file : found.getPath();
    Configuration stores;
    try {
      stores = SSLFactory.readSSLConfiguration(conf, mode);
      stores.size(); // parses
    } catch (RuntimeException e) {
      return where + " (" + fileKey + ") cannot be read by " + user() + ": " + reason(e);
    }
    String needed = "ssl." + side + ".keystore.location";
    boolean showsKey =
        mode == SSLFactory.Mode.SERVER
            || conf.getBoolean(SSLFactory.SSL_REQUIRE_CLIENT_CERT_KEY, false);
    if (showsKey && stores.getTrimmed(needed, "").isEmpty()) {
      return found == null
          ? file + " (" + fileKey + ") is not on the class path, and " + needed + " is not set"
          : needed + " is not set in " + where;
    }
    List<String> read = showsKey ? List.of("keystore", "truststore") : List.of("truststore");
    for (String store : read) {
      String key = "ssl." + side + "." + store + ".location";
      String path = stores.get(key, "");
      if (!path.isEmpty() && !Files.isReadable(Path.of(path))) {
        boolean there = Files.exists(Path.of(path));
        return path
            + (there ? " cannot be read by " + user() : " is not there, or not for " + user())
            + " ("
            + key
            + " in "
            + where
            + ")";
      }
    }
    return reason(cause)
        + " (hadoop.ssl.* of core-site.xml, and location, password, keypassword and type of ssl."
        + side
        + ".keystore and ssl."
        + side
        + ".truststore in "
        + where
        + stores(stores, showsKey)
        + ")";
  }

  private String stores(Configuration stores, boolean showsKey) {
    String keys = stores.get("ssl." + side + ".keystore.location", "");
    String trusted = stores.get("ssl." + side + ".truststore.location", "");
    return (showsKey ? ", here " + keys : "") + (trusted.isEmpty() ? "" : ", here " + trusted);
  }

  private static String reason(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String said = root.getMessage() == null ? root.toString() : root.getMessage();
    return said.lines().map(String::trim).collect(Collectors.joining(" "));
  }

  private static String user() {
    return "the user " + System.getProperty("user.name");
  }
}
