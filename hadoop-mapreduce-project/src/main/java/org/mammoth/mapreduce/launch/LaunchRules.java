// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.yarn.api.ApplicationConstants;

/** Where each container of a MapReduce job runs, by all rules together. Thread-safe. */
public final class LaunchRules {

  /** The three places, and why. */
  public enum Where {
    /** In the user's engine. */
    ENGINE,
    /** In an ordinary container, since it needs a process: a fall-back. */
    PROCESS,
    /** In an ordinary container, since the job asked for it. */
    OPTED_OUT
  }

  /**
   * A decision.
   *
   * @param reason completes "it runs in an ordinary container because"; empty for the engine
   */
  public record Verdict(Where where, String reason) {
    private static final Verdict HOSTED = new Verdict(Where.ENGINE, "");

    private static Verdict process(String reason) {
      return new Verdict(Where.PROCESS, reason);
    }
  }

  private final CommandRules commands;
  private final JobRules jobs;
  private final AttemptRules attempts;
  private final ProcessNeeds needs = new ProcessNeeds();
  private final LocalizedJobs localized = new LocalizedJobs();
  private final JarNames jars = SettingsFiles.jarNames();
  private final JobFacts<Verdict> taskVerdicts = new JobFacts<>(localized);
  private final JobFacts<Boolean> optOuts = new JobFacts<>(localized);

  /**
   * @param cluster the node's own configuration, with the site files of MapReduce and YARN
   * @param ofEngines the environment that engines have
   */
  public LaunchRules(Configuration cluster, Map<String, String> ofEngines) {
    this.commands = new CommandRules(ofEngines);
    this.jobs = new JobRules(cluster);
    this.attempts = new AttemptRules(cluster);
  }

  /** Whether the job of a container with these localized files asks to run as on stock. */
  public boolean isOptedOut(Map<Path, List<String>> resources) {
    return HostedLaunch.localized(resources, MRJobConfig.JOB_CONF_FILE)
        .map(jobFile -> optOuts.of(jobFile, JobRules::optedOut))
        .orElse(false);
  }

  /** Decides on a task. */
  public Verdict judgeTask(HostedLaunch launch, TaskCommand command) {
    Verdict ofJob = judgeFiles(launch);
    return ofJob.where() == Where.ENGINE ? judgeCommand(launch, command) : ofJob;
  }

  /** The part of {@link #judgeTask} that reads the job's files: whoever may read them can ask. */
  Verdict judgeFiles(JobFiles launch) {
    Optional<File> jobFile = launch.jobFile();
    if (jobFile.isEmpty()) {
      return Verdict.process("its job.xml was not localized");
    }
    Verdict ofJob = taskVerdicts.of(jobFile.get(), judgeJob(launch));
    // Maps and reduces of one job may have other folders on their class path.
    return ofJob.where() == Where.ENGINE
        ? launch.classPath().otherSettings(jars).map(Verdict::process).orElse(ofJob)
        : ofJob;
  }

  /** The part of {@link #judgeTask} that reads no file. */
  public Verdict judgeCommand(HostedLaunch launch, TaskCommand command) {
    return commands
        .reasonAgainst(command)
        .or(() -> reasonAgainst(launch, command.java(), command.options()))
        .map(Verdict::process)
        .orElse(Verdict.HOSTED);
  }

  private Optional<String> reasonAgainst(HostedLaunch launch, String java, List<String> options) {
    return commands
        .reasonAgainst(launch.environment())
        .or(launch::reasonAgainstEnvironment)
        .or(() -> launch.reasonAgainstJava(java))
        .or(() -> launch.reasonAgainst(options));
  }

  private Function<Configuration, Verdict> judgeJob(JobFiles launch) {
    return job -> {
      if (JobRules.optedOut(job)) {
        return new Verdict(Where.OPTED_OUT, "the job is opted out");
      }
      return jobs.reasonAgainst(job)
          .or(() -> classesOf(launch))
          .or(() -> needs.reasonAgainst(launch, job))
          .map(Verdict::process)
          .orElse(Verdict.HOSTED);
    };
  }

  private static Optional<String> classesOf(JobFiles launch) {
    return launch.classPath().otherHadoop().map(jar -> "its class path has another Hadoop: " + jar);
  }

  /** A task has shown that those of its job need processes. */
  public void learn(JobFiles launch, String reason) {
    launch
        .jobFile()
        .ifPresent(
            jobFile -> {
              needs.learn(launch, localized.read(jobFile), reason);
              taskVerdicts.correct(jobFile, Verdict.process(reason));
            });
  }

  /** Decides on an ApplicationMaster. */
  public Verdict judgeAppMaster(HostedLaunch launch, List<String> command) {
    Verdict ofJob = judgeAppMasterFiles(launch, command);
    return ofJob.where() == Where.ENGINE ? judgeAppMasterCommand(launch, command) : ofJob;
  }

  /** The part of {@link #judgeAppMaster} that reads no file. */
  public Verdict judgeAppMasterCommand(HostedLaunch launch, List<String> command) {
    return reasonAgainst(launch, AppMasterCommand.java(command), AppMasterCommand.options(command))
        .map(Verdict::process)
        .orElse(Verdict.HOSTED);
  }

  /**
   * The part of {@link #judgeAppMaster} for one whose user alone can read its files: its keys for
   * pages over HTTPS are among them, and no host is given these.
   */
  public Verdict judgeAppMasterOfUser(HostedLaunch launch, List<String> command) {
    if (launch.environment().containsKey(ApplicationConstants.KEYSTORE_FILE_LOCATION_ENV_NAME)) {
      return Verdict.process("its pages have a keystore of their own");
    }
    return attempts
        .reasonAgainst(launch.containerId())
        .map(Verdict::process)
        .orElseGet(() -> judgeAppMasterCommand(launch, command));
  }

  /** The part of {@link #judgeAppMaster} that reads the job's files. */
  Verdict judgeAppMasterFiles(JobFiles launch, List<String> command) {
    Optional<File> jobFile = launch.jobFile();
    if (jobFile.isEmpty()) {
      return Verdict.process("its job.xml was not localized");
    }
    Configuration job = localized.read(jobFile.get());
    if (JobRules.optedOut(job)) {
      return new Verdict(Where.OPTED_OUT, "the job is opted out");
    }
    return AppMasterCommand.reasonAgainst(command, job)
        .or(() -> jobs.reasonAgainstHeap(AppMasterCommand.options(command)))
        .or(() -> jobs.reasonAgainstAppMaster(job))
        .or(() -> classesOf(launch))
        .or(() -> launch.classPath().otherSettings(jars))
        .or(() -> needs.reasonAgainst(launch, job))
        .or(() -> attempts.reasonAgainst(launch.containerId(), job))
        .map(Verdict::process)
        .orElse(Verdict.HOSTED);
  }
}
