// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console;

import java.time.Clock;
import org.apache.hadoop.conf.Configuration;

/** {@code mammoth console}: runs until it is stopped. */
public final class ConsoleMain {

  private ConsoleMain() {}

  /** Takes no arguments; everything is configured by mammoth.console.* keys. */
  public static void main(String[] args) throws Exception {
    if (args.length > 0) {
      System.err.println(
          "Usage: mammoth console\nSee mammoth.console.* in the reference of configuration keys.");
      System.exit(2);
    }
    Console console;
    try {
      console = new Console(configuration(), Clock.systemUTC());
      console.start();
    } catch (IllegalArgumentException | java.io.IOException e) {
      System.err.println("console: " + e.getMessage());
      System.exit(1);
      return;
    }
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    console.close();
                  } catch (Exception e) {
                    System.err.println("console: did not stop cleanly: " + e);
                  }
                }));
    System.out.println("The console is at " + console.address());
    if (!console.loginAddress().equals(console.address())) {
      System.out.println(
          "Administrators open it, once, with "
              + (isTerminal()
                  ? console.loginAddress() + "\nThe next such address is then"
                  : "what is")
              + " in "
              + console.loginFile());
    }
    Thread.currentThread().join();
  }

  /** Whether people read what is printed: what goes to a file others may read, too. */
  private static boolean isTerminal() {
    java.io.Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // From Java 22 on there may be a console without a terminal.
      return (boolean) java.io.Console.class.getMethod("isTerminal").invoke(console);
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  private static Configuration configuration() {
    Configuration conf = new Configuration();
    for (String site : new String[] {"hdfs-site.xml", "yarn-site.xml", "mapred-site.xml"}) {
      conf.addResource(site);
    }
    return conf;
  }
}
