// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.config;

import java.util.List;

/** Every configuration key of the console. */
public final class ConsoleKeys {

  public static final ConsoleKey<String> BIND_HOST =
      ConsoleKey.ofText(
          "mammoth.console.bind-host",
          "127.0.0.1",
          "Address the console listens on. Beyond loopback it starts only if users have to"
              + " authenticate (hadoop.http.authentication.type), or if"
              + " mammoth.console.allow-unauthenticated is true.");

  public static final ConsoleKey<Long> PORT =
      ConsoleKey.ofLong(
          "mammoth.console.port",
          8288,
          0,
          65535,
          "",
          "Port the console listens on; 0 takes a free one and prints it.");

  public static final ConsoleKey<String> BASE_PATH =
      ConsoleKey.ofText(
          "mammoth.console.base-path",
          "/",
          "Path below which a reverse proxy shows the console, as /gateway/mammoth.");

  public static final ConsoleKey<String> HOSTS =
      ConsoleKey.ofText(
          "mammoth.console.hosts",
          "",
          "Further names by which the console may be addressed, separated by commas: names, as"
              + " console.example.org, or the origin of a gateway that shows the page, as"
              + " https://gateway.example.org:8443. Names of loopback, the address it listens on"
              + " and the host's own names always may; any other Host or Origin is refused with"
              + " 403.");

  public static final ConsoleKey<Boolean> ALLOW_UNAUTHENTICATED =
      ConsoleKey.ofBoolean(
          "mammoth.console.allow-unauthenticated",
          false,
          "Listen beyond loopback although anyone may claim any user name.");

  public static final ConsoleKey<String> KEYSTORE =
      ConsoleKey.ofText(
          "mammoth.console.tls.keystore",
          "",
          "Key store with the console's certificate; if set, the console speaks HTTPS only.");

  public static final ConsoleKey<String> KEYSTORE_TYPE =
      ConsoleKey.ofText(
          "mammoth.console.tls.keystore.type",
          "PKCS12",
          "Type of the key store, as Java names it.");

  public static final ConsoleKey<String> KEYSTORE_PASSWORD =
      ConsoleKey.ofText(
          "mammoth.console.tls.keystore.password",
          "",
          "Password of the key store; an entry of that name in"
              + " hadoop.security.credential.provider.path goes first.");

  public static final ConsoleKey<String> ACL_ADMIN =
      ConsoleKey.ofText(
          "mammoth.console.acl.admin",
          " ",
          "Users and groups who may see all and start actions: users, a blank, groups; '*' is"
              + " everyone. Nobody by default. Where names are only claimed (simple"
              + " authentication) they may only in a session that the console's token opened.");

  public static final ConsoleKey<String> ACL_VIEW =
      ConsoleKey.ofText(
          "mammoth.console.acl.view",
          "*",
          "Users and groups who see the jobs of all users; anyone else sees only their own.");

  public static final ConsoleKey<String> DIRECTORY =
      ConsoleKey.ofText(
          "mammoth.console.dir",
          "",
          "Where history and audit log are kept; without it, console below hadoop.tmp.dir.");

  public static final ConsoleKey<Long> SECONDS_HOURS =
      ConsoleKey.ofLong(
          "mammoth.console.history.seconds.hours",
          1,
          1,
          48,
          "hours",
          "Of how much recorded time history keeps the grain of a second.");

  public static final ConsoleKey<Long> MINUTES_DAYS =
      ConsoleKey.ofLong(
          "mammoth.console.history.minutes.days",
          31,
          1,
          400,
          "days",
          "Of how much recorded time history keeps the grain of a minute; time in which the console"
              + " did not run does not count.");

  public static final ConsoleKey<Long> HISTORY_MAX_MB =
      ConsoleKey.ofLong(
          "mammoth.console.history.max-mb",
          4096,
          16,
          1 << 24,
          "MiB",
          "Most disk space history takes; the oldest goes first.");

  public static final ConsoleKey<Long> DEADLINE_MS =
      ConsoleKey.ofLong(
          "mammoth.console.node.deadline-ms",
          2000,
          100,
          60000,
          "ms",
          "How long a node may take to answer before it counts as slow.");

  public static final ConsoleKey<Long> CONCURRENCY =
      ConsoleKey.ofLong(
          "mammoth.console.node.concurrency",
          64,
          1,
          4096,
          "",
          "How many nodes are read at the same time.");

  public static final ConsoleKey<Long> BACKOFF_MAX_SECONDS =
      ConsoleKey.ofLong(
          "mammoth.console.node.backoff-max-seconds",
          60,
          1,
          3600,
          "s",
          "Longest pause between two tries of a node that does not answer.");

  public static final ConsoleKey<Long> DISCOVERY_SECONDS =
      ConsoleKey.ofLong(
          "mammoth.console.discovery-seconds",
          10,
          1,
          3600,
          "s",
          "How often the ResourceManager and the NameNodes are asked which nodes there are.");

  public static final ConsoleKey<String> RESOURCEMANAGERS =
      ConsoleKey.ofText(
          "mammoth.console.resourcemanagers",
          "",
          "ResourceManagers as http://host:port, separated by commas; found in yarn-site.xml if"
              + " empty.");

  public static final ConsoleKey<String> NAMENODES =
      ConsoleKey.ofText(
          "mammoth.console.namenodes",
          "",
          "NameNodes as http://host:port, separated by commas; found in hdfs-site.xml if empty.");

  public static final ConsoleKey<String> HISTORYSERVER =
      ConsoleKey.ofText(
          "mammoth.console.historyserver",
          "",
          "The job history server as http://host:port; found in mapred-site.xml if empty.");

  public static final ConsoleKey<String> KERBEROS_PRINCIPAL =
      ConsoleKey.ofText(
          "mammoth.console.kerberos.principal",
          "",
          "Whom the console is when it reads daemons that want SPNEGO; _HOST stands for the host.");

  public static final ConsoleKey<String> KERBEROS_KEYTAB =
      ConsoleKey.ofText(
          "mammoth.console.kerberos.keytab", "", "Key tab of mammoth.console.kerberos.principal.");

  public static final ConsoleKey<Long> STREAM_CLIENTS =
      ConsoleKey.ofLong(
          "mammoth.console.stream.clients",
          500,
          1,
          100000,
          "",
          "How many live streams are served at once; one more is answered with 503, and its page"
              + " asks every few seconds instead.");

  public static final ConsoleKey<Long> STREAM_CLIENTS_EACH =
      ConsoleKey.ofLong(
          "mammoth.console.stream.clients-each",
          50,
          1,
          100000,
          "",
          "How many of these one user at one address may have; all whose names are only claimed are"
              + " one user.");

  private ConsoleKeys() {}

  /** All keys, in the order of the reference page. */
  public static List<ConsoleKey<?>> all() {
    return List.of(
        BIND_HOST,
        PORT,
        BASE_PATH,
        HOSTS,
        ALLOW_UNAUTHENTICATED,
        KEYSTORE,
        KEYSTORE_TYPE,
        KEYSTORE_PASSWORD,
        ACL_ADMIN,
        ACL_VIEW,
        DIRECTORY,
        SECONDS_HOURS,
        MINUTES_DAYS,
        HISTORY_MAX_MB,
        DEADLINE_MS,
        CONCURRENCY,
        BACKOFF_MAX_SECONDS,
        DISCOVERY_SECONDS,
        RESOURCEMANAGERS,
        NAMENODES,
        HISTORYSERVER,
        KERBEROS_PRINCIPAL,
        KERBEROS_KEYTAB,
        STREAM_CLIENTS,
        STREAM_CLIENTS_EACH);
  }

  /** The reference page, as Markdown. */
  public static String reference() {
    StringBuilder page = new StringBuilder();
    page.append("# Configuration of the console\n\n");
    page.append("Written by `ConsoleKeysTest` from the declarations; change them there. Set keys");
    page.append(" in `mapred-site.xml`.\n\n");
    page.append("| Key | Default | Allowed | Meaning |\n|---|---|---|---|\n");
    for (ConsoleKey<?> key : all()) {
      page.append("| `").append(key.name()).append("` | ");
      page.append(key.defaultText().isBlank() ? "" : "`" + key.defaultText() + "`").append(" | ");
      page.append(key.range().replace("|", "\\|")).append(" | ").append(key.sentence());
      page.append(" |\n");
    }
    return page.toString();
  }
}
