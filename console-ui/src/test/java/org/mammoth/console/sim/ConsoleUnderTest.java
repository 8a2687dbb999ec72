// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.sim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.console.Console;
import org.mammoth.console.config.ConsoleKeys;

/** A console on a free port that reads a simulated cluster. */
public final class ConsoleUnderTest {

  private ConsoleUnderTest() {}

  public static Configuration configuration(SimulatedCluster cluster, Path dir) {
    Configuration conf = new Configuration(false);
    cluster.configure(conf);
    conf.set(ConsoleKeys.DIRECTORY.name(), dir.toString());
    conf.set(ConsoleKeys.PORT.name(), "0");
    // A machine that runs other tests, too, may stand still for a second.
    conf.set(ConsoleKeys.DEADLINE_MS.name(), "3000");
    conf.set(ConsoleKeys.DISCOVERY_SECONDS.name(), "1");
    conf.set(ConsoleKeys.BACKOFF_MAX_SECONDS.name(), "2");
    conf.set("hadoop.http.authentication.type", "simple");
    conf.set("hadoop.http.authentication.simple.anonymous.allowed", "true");
    conf.set("hadoop.http.staticuser.user", "dr.who");
    return conf;
  }

  /** Opens a session with the console's present token; the answer is its cookie. */
  public static String session(Console console, String user) {
    try {
      HttpURLConnection opened =
          (HttpURLConnection)
              new URL(console.loginAddress() + (user == null ? "" : "&user.name=" + user))
                  .openConnection();
      opened.setInstanceFollowRedirects(false);
      if (opened.getResponseCode() != 303) {
        throw new IllegalStateException("no session: " + opened.getResponseCode());
      }
      return opened.getHeaderField("Set-Cookie").replaceFirst(";.*", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Console start(SimulatedCluster cluster, Path dir, Consumer<Configuration> more)
      throws Exception {
    Configuration conf = configuration(cluster, dir);
    more.accept(conf);
    Console console = new Console(conf, Clock.systemUTC());
    console.start();
    // Whom a process may act for is static in Hadoop, and the console's own filter has set it.
    cluster.admins().actFor("*");
    return console;
  }
}
