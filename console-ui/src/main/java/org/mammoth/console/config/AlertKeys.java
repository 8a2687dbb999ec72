// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.config;

import org.mammoth.config.ConfigKey;
import org.mammoth.config.ConfigKey.Scope;
import org.mammoth.config.ConfigKey.Tag;

/** The configuration keys of alerts and their notifications. */
public final class AlertKeys {

  private static final String OFF = " 0 turns the rule off.";

  public static final ConfigKey<Long> ENGINE_DIED =
      seconds(
          "mammoth.console.alert.engine-died-seconds",
          900,
          "How long EngineDied fires after an engine ended while it ran tasks.");

  public static final ConfigKey<Long> JOB_FAILED =
      seconds(
          "mammoth.console.alert.job-failed-seconds",
          3600,
          "How long JobFailed fires after a job failed.");

  public static final ConfigKey<Long> CONTAINER_TASKS =
      ConfigKey.ofLong(
          "mammoth.console.alert.tasks-in-containers",
          20,
          0,
          64,
          "tasks",
          Scope.SERVICE,
          "TasksInContainers fires if so many tasks of a node ran in ordinary containers within 15"
              + " minutes."
              + OFF);

  public static final ConfigKey<Long> MEMORY_PRESSURE =
      seconds(
          "mammoth.console.alert.memory-pressure-seconds",
          300,
          "MemoryPressure fires if the pool of an engine is nearly full for so long.");

  public static final ConfigKey<Long> SPILL_BACKLOG_AGE =
      seconds(
          "mammoth.console.alert.spill-backlog-age-seconds",
          30,
          "SpillBacklog is about disks at which the oldest request waits for longer than this.");

  public static final ConfigKey<Long> SPILL_BACKLOG =
      seconds(
          "mammoth.console.alert.spill-backlog-seconds",
          60,
          "SpillBacklog fires if a disk has had such a request for so long.");

  public static final ConfigKey<Long> HIT_RATE_DROP =
      ConfigKey.ofLong(
          "mammoth.console.alert.cache-hit-rate-fell-percent",
          50,
          0,
          99,
          "%",
          Scope.SERVICE,
          "CacheHitRateFell is about a share of block reads from SSD that, over 15 minutes with"
              + " 1,000 reads or more, is by so much of itself below that of the day before."
              + OFF);

  public static final ConfigKey<Long> HIT_RATE =
      seconds(
          "mammoth.console.alert.cache-hit-rate-fell-seconds",
          300,
          "CacheHitRateFell fires if that is so for so long.");

  public static final ConfigKey<Long> DISK_OUT =
      seconds(
          "mammoth.console.alert.disk-out-seconds",
          60,
          "DiskOut fires if an engine leaves a local directory out for so long.");

  public static final ConfigKey<Long> NODE_UNREACHABLE =
      seconds(
          "mammoth.console.alert.node-unreachable-seconds",
          120,
          "NodeUnreachable fires if a node cannot be read, or YARN calls it LOST or UNHEALTHY, for"
              + " so long.");

  public static final ConfigKey<Long> LOCAL_DIRS_BAD =
      seconds(
          "mammoth.console.alert.local-dirs-bad-seconds",
          300,
          "LocalDirsBad fires if a NodeManager has left local folders out for so long.");

  public static final ConfigKey<Long> VOLUME_FAILED =
      seconds(
          "mammoth.console.alert.volume-failed-seconds",
          60,
          "VolumeFailed fires if disks of a DataNode have failed for so long.");

  public static final ConfigKey<Long> MASTER_UNREACHABLE =
      seconds(
          "mammoth.console.alert.master-unreachable-seconds",
          30,
          "MasterUnreachable fires if a ResourceManager or NameNode does not do its work for so"
              + " long.");

  public static final ConfigKey<Long> MIXED_VERSIONS =
      seconds(
          "mammoth.console.alert.mixed-versions-seconds",
          1800,
          "MixedVersions fires if nodes run different versions for so long.");

  public static final ConfigKey<Long> RESOLVE =
      ConfigKey.ofLong(
          "mammoth.console.alert.resolve-seconds",
          60,
          0,
          86400,
          "s",
          Scope.SERVICE,
          "How long what an alert is about has to be gone before the alert is resolved.");

  public static final ConfigKey<String> WEBHOOK =
      ConfigKey.ofString(
          "mammoth.console.alert.webhook",
          "",
          Scope.SERVICE,
          "Address, http or https, that is sent alerts as Alertmanager's webhook receivers are"
              + " (version 4); none if empty. An entry of that name in"
              + " hadoop.security.credential.provider.path goes first.");

  public static final ConfigKey<String> WEBHOOK_AUTHORIZATION =
      ConfigKey.ofString(
              "mammoth.console.alert.webhook.authorization",
              "",
              Scope.SERVICE,
              "The Authorization header of these requests, as 'Bearer ...'; an entry of that name in"
                  + " hadoop.security.credential.provider.path goes first.")
          .tagged(Tag.SECURITY);

  public static final ConfigKey<String> MAIL_HOST =
      ConfigKey.ofString(
          "mammoth.console.alert.mail.host",
          "",
          Scope.SERVICE,
          "SMTP server by which alerts are sent as e-mail; none are if empty.");

  public static final ConfigKey<Long> MAIL_PORT =
      ConfigKey.ofLong(
          "mammoth.console.alert.mail.port",
          587,
          1,
          65535,
          "",
          Scope.SERVICE,
          "Port of mammoth.console.alert.mail.host.");

  public static final ConfigKey<String> MAIL_FROM =
      ConfigKey.ofString(
          "mammoth.console.alert.mail.from", "", Scope.SERVICE, "Who e-mail of alerts is from.");

  public static final ConfigKey<String> MAIL_TO =
      ConfigKey.ofString(
          "mammoth.console.alert.mail.to",
          "",
          Scope.SERVICE,
          "Who gets e-mail of alerts, separated by commas.");

  public static final ConfigKey<Boolean> MAIL_STARTTLS =
      ConfigKey.ofBoolean(
              "mammoth.console.alert.mail.starttls",
              true,
              Scope.SERVICE,
              "Send e-mail only under TLS (STARTTLS), to a server whose certificate names it.")
          .tagged(Tag.SECURITY);

  public static final ConfigKey<String> MAIL_USER =
      ConfigKey.ofString(
              "mammoth.console.alert.mail.user",
              "",
              Scope.SERVICE,
              "Whom the console is to the SMTP server; it says nothing of that if empty.")
          .tagged(Tag.SECURITY);

  public static final ConfigKey<String> MAIL_PASSWORD =
      ConfigKey.ofString(
              "mammoth.console.alert.mail.password",
              "",
              Scope.SERVICE,
              "Password of mammoth.console.alert.mail.user; an entry of that name in"
                  + " hadoop.security.credential.provider.path goes first.")
          .tagged(Tag.SECURITY);

  public static final ConfigKey<Long> GROUP_WAIT =
      ConfigKey.ofLong(
          "mammoth.console.alert.group-wait-seconds",
          30,
          0,
          3600,
          "s",
          Scope.SERVICE,
          "How long the first notification of a rule waits for more alerts of the rule.");

  public static final ConfigKey<Long> GROUP_INTERVAL =
      ConfigKey.ofLong(
          "mammoth.console.alert.group-interval-seconds",
          300,
          1,
          86400,
          "s",
          Scope.SERVICE,
          "Shortest time between two notifications of a rule, and longest pause between two tries"
              + " of one that fails.");

  public static final ConfigKey<Long> REPEAT_INTERVAL =
      ConfigKey.ofLong(
          "mammoth.console.alert.repeat-interval-seconds",
          14400,
          60,
          2592000,
          "s",
          Scope.SERVICE,
          "After how long a notification is repeated while alerts of the rule fire that nobody has"
              + " acknowledged.");

  public static final ConfigKey<String> EXTERNAL_URL =
      ConfigKey.ofString(
          "mammoth.console.alert.external-url",
          "",
          Scope.SERVICE,
          "Address of the console in notifications, as people reach it; the one it listens on if"
              + " empty.");

  private AlertKeys() {}

  private static ConfigKey<Long> seconds(String name, long def, String sentence) {
    return ConfigKey.ofLong(name, def, 0, 86400, "s", Scope.SERVICE, sentence + OFF);
  }
}
