// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.File;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobConf;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.UserLaunch;

/**
 * The part of {@link LaunchRules} that reads a job's files, for an engine that runs as the user to
 * whom they belong. What it learns of jobs it knows for the engine's life. Thread-safe.
 */
public final class UserRules {

  /**
   * A container that has been judged.
   *
   * @param declined why it is not for the engine, empty if it is
   * @param spec the whole launch
   * @param links what belongs into the container's folder, by name
   * @param files of its job
   */
  public record Judged(
      String declined, ContainerLaunchSpec spec, Map<String, File> links, Files files) {}

  /** What is known of a job's files. */
  public static final class Files {
    private final JobFiles of;

    private Files(JobFiles of) {
      this.of = of;
    }
  }

  private final LaunchRules rules;
  private final SharedClassPath shared = new SharedClassPath(System.getProperty("java.class.path"));

  /**
   * @param cluster the node's own configuration
   */
  public UserRules(Configuration cluster) {
    rules = new LaunchRules(new JobConf(cluster), System.getenv());
  }

  /** Reads the job's configuration and the names of its jars. */
  public Judged judge(ContainerLaunchSpec spec, UserLaunch launch) {
    LocalizedLaunch localized = new LocalizedLaunch(spec, launch, shared);
    LaunchRules.Verdict verdict =
        launch.command().isEmpty()
            ? rules.judgeFiles(localized)
            : rules.judgeAppMasterFiles(localized, launch.command());
    String declined =
        switch (verdict.where()) {
          case ENGINE -> "";
          case OPTED_OUT -> UserLaunch.OPTED_OUT;
          case PROCESS -> verdict.reason();
        };
    return new Judged(
        declined,
        declined.isEmpty() ? localized.completed() : spec,
        localized.links(),
        new Files(localized));
  }

  /** A task has shown that those of its job need processes. */
  public void learn(Judged judged, String reason) {
    rules.learn(judged.files().of, reason);
  }
}
