// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.config;

import java.util.List;
import org.mammoth.config.ConfigKey;
import org.mammoth.config.ConfigKey.Scope;
import org.mammoth.config.ConfigKey.Tag;
import org.mammoth.config.KeyReference;
import org.mammoth.config.Keys;

/** Every configuration key of the console; those of alerts are in {@link AlertKeys}. */
public final class ConsoleKeys {

  public static final ConfigKey<String> BIND_HOST =
      ConfigKey.ofString(
              "mammoth.console.bind-host",
              "127.0.0.1",
              Scope.SERVICE,
              "Address the console listens on. Beyond loopback it starts only if users have to"
                  + " authenticate (hadoop.http.authentication.type), or if"
                  + " mammoth.console.allow-unauthenticated is true.")
          .tagged(Tag.SECURITY);

  public static final ConfigKey<Long> PORT =
      ConfigKey.ofLong(
          "mammoth.console.port",
          8288,
          0,
          65535,
          "",
          Scope.SERVICE,
          "Port the console listens on; 0 takes a free one and prints it.");

  public static final ConfigKey<String> BASE_PATH =
      ConfigKey.ofString(
          "mammoth.console.base-path",
          "/",
          Scope.SERVICE,
          "Path below which a reverse proxy shows the console, as /gateway/mammoth.");

  public static final ConfigKey<String> HOSTS =
      ConfigKey.ofString(
              "mammoth.console.hosts",
              "",
              Scope.SERVICE,
              "Further names by which the console may be addressed, separated by commas: names, as"
                  + " console.example.org, or the origin of a gateway that shows the page, as"
                  + " https://gateway.example.org:8443. Names of loopback, the address it listens on"
                  + " and the host's own names always may; any other Host or Origin is refused with"
                  + " 403.")
          .tagged(Tag.SECURITY);

  public static final ConfigKey<Boolean> ALLOW_UNAUTHENTICATED =
      ConfigKey.ofBoolean(
              "mammoth.console.allow-unauthenticated",
              false,
              Scope.SERVICE,
              "Listen beyond loopback although anyone may claim any user name.")
          .tagged(Tag.SECURITY);

  public static final ConfigKey<String> KEYSTORE =
      ConfigKey.ofString(
              "mammoth.console.tls.keystore",
              "",
              Scope.SERVICE,
              "Key store with the console's certificate; if set, the console speaks HTTPS only.")
          .tagged(Tag.SECURITY);

  public static final ConfigKey<String> KEYSTORE_TYPE =
      ConfigKey.ofString(
              "mammoth.console.tls.keystore.type",
              "PKCS12",
              Scope.SERVICE,
              "Type of the key store, as Java names it.")
          .tagged(Tag.SECURITY);

  public static final ConfigKey<String> KEYSTORE_PASSWORD =
      ConfigKey.ofString(
              "mammoth.console.tls.keystore.password",
              "",
              Scope.SERVICE,
              "Password of the key store; an entry of that name in"
                  + " hadoop.security.credential.provider.path goes first.")
          .tagged(Tag.SECURITY);

  public static final ConfigKey<String> ACL_ADMIN =
      ConfigKey.ofString(
              "mammoth.console.acl.admin",
              " ",
              Scope.SERVICE,
              "Users and groups who may see all and start actions: users, a blank, groups; '*' is"
                  + " everyone. Nobody by default. Where names are only claimed (simple"
                  + " authentication) they may only in a session that the console's token opened.")
          .tagged(Tag.SECURITY);

  public static final ConfigKey<String> ACL_VIEW =
      ConfigKey.ofString(
              "mammoth.console.acl.view",
              "*",
              Scope.SERVICE,
              "Users and groups who see the jobs of all users; anyone else sees only their own.")
          .tagged(Tag.SECURITY);

  public static final ConfigKey<String> DIRECTORY =
      ConfigKey.ofString(
          "mammoth.console.dir",
          "",
          Scope.SERVICE,
          "Where history and audit log are kept; without it, console below hadoop.tmp.dir.");

  public static final ConfigKey<Long> SECONDS_HOURS =
      ConfigKey.ofLong(
          "mammoth.console.history.seconds.hours",
          1,
          1,
          48,
          "hours",
          Scope.SERVICE,
          "Of how much recorded time history keeps the grain of a second.");

  public static final ConfigKey<Long> MINUTES_DAYS =
      ConfigKey.ofLong(
          "mammoth.console.history.minutes.days",
          31,
          1,
          400,
          "days",
          Scope.SERVICE,
          "Of how much recorded time history keeps the grain of a minute; time in which the console"
              + " did not run does not count.");

  public static final ConfigKey<Long> HISTORY_MAX_MB =
      ConfigKey.ofLong(
          "mammoth.console.history.max-mb",
          4096,
          16,
          1 << 24,
          "MiB",
          Scope.SERVICE,
          "Most disk space history takes; the oldest goes first.");

  public static final ConfigKey<Long> JOBS_DAYS =
      ConfigKey.ofLong(
          "mammoth.console.jobs.days",
          31,
          1,
          400,
          "days",
          Scope.SERVICE,
          "Of how much recorded time jobs that have ended are kept, and how far back they are asked"
              + " for when the console starts.");

  public static final ConfigKey<Long> JOBS_MAX_MB =
      ConfigKey.ofLong(
          "mammoth.console.jobs.max-mb",
          1024,
          16,
          1 << 20,
          "MiB",
          Scope.SERVICE,
          "Most disk space these jobs take; the oldest day goes first.");

  public static final ConfigKey<Long> DEADLINE_MS =
      ConfigKey.ofLong(
          "mammoth.console.node.deadline-ms",
          2000,
          100,
          60000,
          "ms",
          Scope.SERVICE,
          "How long a node may take to answer before it counts as slow.");

  public static final ConfigKey<Long> CONCURRENCY =
      ConfigKey.ofLong(
          "mammoth.console.node.concurrency",
          64,
          1,
          4096,
          "",
          Scope.SERVICE,
          "How many nodes are read at the same time.");

  public static final ConfigKey<Long> BACKOFF_MAX_SECONDS =
      ConfigKey.ofLong(
          "mammoth.console.node.backoff-max-seconds",
          60,
          1,
          3600,
          "s",
          Scope.SERVICE,
          "Longest pause between two tries of a node that does not answer.");

  public static final ConfigKey<Long> DISCOVERY_SECONDS =
      ConfigKey.ofLong(
          "mammoth.console.discovery-seconds",
          10,
          1,
          3600,
          "s",
          Scope.SERVICE,
          "How often the ResourceManager and the NameNodes are asked which nodes there are.");

  public static final ConfigKey<String> RESOURCEMANAGERS =
      ConfigKey.ofString(
          "mammoth.console.resourcemanagers",
          "",
          Scope.SERVICE,
          "ResourceManagers as http://host:port, separated by commas; found in yarn-site.xml if"
              + " empty.");

  public static final ConfigKey<String> NAMENODES =
      ConfigKey.ofString(
          "mammoth.console.namenodes",
          "",
          Scope.SERVICE,
          "NameNodes as http://host:port, separated by commas; found in hdfs-site.xml if empty.");

  public static final ConfigKey<String> HISTORYSERVER =
      ConfigKey.ofString(
          "mammoth.console.historyserver",
          "",
          Scope.SERVICE,
          "The job history server as http://host:port; found in mapred-site.xml if empty.");

  public static final ConfigKey<String> KERBEROS_PRINCIPAL =
      ConfigKey.ofString(
              "mammoth.console.kerberos.principal",
              "",
              Scope.SERVICE,
              "Whom the console is when it reads daemons that want SPNEGO; _HOST stands for the host.")
          .tagged(Tag.SECURITY);

  public static final ConfigKey<String> KERBEROS_KEYTAB =
      ConfigKey.ofString(
              "mammoth.console.kerberos.keytab",
              "",
              Scope.SERVICE,
              "Key tab of mammoth.console.kerberos.principal.")
          .tagged(Tag.SECURITY);

  public static final ConfigKey<Long> STREAM_CLIENTS =
      ConfigKey.ofLong(
          "mammoth.console.stream.clients",
          500,
          1,
          100000,
          "",
          Scope.SERVICE,
          "How many live streams are served at once; one more is answered with 503, and its page"
              + " asks every few seconds instead.");

  public static final ConfigKey<Long> STREAM_CLIENTS_EACH =
      ConfigKey.ofLong(
          "mammoth.console.stream.clients-each",
          50,
          1,
          100000,
          "",
          Scope.SERVICE,
          "How many of these one user at one address may have; all whose names are only claimed are"
              + " one user.");

  private ConsoleKeys() {}

  /** All keys, in the order of the reference page. */
  public static List<ConfigKey<?>> all() {
    return Keys.in(ConsoleKeys.class, AlertKeys.class);
  }

  /** The reference page, as Markdown. */
  public static String reference() {
    return KeyReference.page(
        "# Configuration of the console\n\nMade from the declarations in `ConsoleKeys`; do not edit. Set"
            + " keys in `mapred-site.xml`.",
        all(),
        KeyReference.NAME,
        KeyReference.DEFAULT,
        KeyReference.ALLOWED,
        KeyReference.MEANING);
  }
}
