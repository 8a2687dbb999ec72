// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.rehearsal;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.ChildBridge;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Task;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskUmbilical;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.counters.Limits;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.StringUtils;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.mapreduce.engine.containers.ContainerProgram;
import org.mammoth.mapreduce.engine.containers.HostedContainer;
import org.mammoth.mapreduce.engine.containers.TaskProgram;
import org.mammoth.mapreduce.engine.containers.TaskSurroundings;
import org.mammoth.mapreduce.engine.jobs.OpenFileSystems;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task of a rehearsal, run the way {@link TaskProgram} runs one of a user's. */
public final class RehearsalProgram implements ContainerProgram, TaskUmbilical.Surroundings {

  private static final Logger LOG = LoggerFactory.getLogger(RehearsalProgram.class);

  private final HostedContainer hosted;
  private final TaskProcess process;
  private final TaskSurroundings shared;
  private final Configuration node;
  private final RehearsalJob job;
  private final TaskAttemptID attempt;
  private final TaskUmbilical umbilical;

  private RehearsalProgram(
      HostedContainer hosted,
      TaskProcess process,
      TaskSurroundings shared,
      Configuration node,
      RehearsalJob job) {
    this.hosted = hosted;
    this.process = process;
    this.shared = shared;
    this.node = node;
    this.job = job;
    this.attempt = attemptOf(hosted);
    this.umbilical =
        new TaskUmbilical(
            job.master(), this, shared.mapEvents().acquire(job.id(), job.attempts().size()));
  }

  private static TaskAttemptID attemptOf(HostedContainer container) {
    return TaskAttemptID.forName(container.spec().arguments().get(0));
  }

  @Override
  public int run() throws IOException, InterruptedException {
    JobConf conf = job.configuration(node);
    Limits.init(conf);
    UserGroupInformation.setConfiguration(conf);
    SecurityUtil.setConfiguration(conf);
    conf.setStrings(MRConfig.LOCAL_DIR, hosted.spec().localDirs().toArray(new String[0]));
    ChildBridge.useYarnOutputFiles(conf);
    Task task = job.task(attempt);
    ChildBridge.setSecrets(
        task,
        JobTokenSecretManager.createSecretKey(job.secret()),
        JobTokenSecretManager.createSecretKey(job.secret()));
    if (shared.memory().shuffle() != null) {
      shared.memory().shuffle().jobs().started(job.id(), job.secret(), hosted.spec().localDirs());
    }
    task.localizeConfiguration(conf);
    JobConf plugged = TaskProgram.plugIn(conf);
    UserGroupInformation.createRemoteUser(hosted.spec().user())
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  TaskProgram.hand(task, plugged);
                  task.run(plugged, umbilical);
                  return null;
                });
    return 0;
  }

  @Override
  public void fence() {
    umbilical.fence();
  }

  @Override
  public void reportFatal(Throwable error) {
    LOG.info("{}: {}", attempt, StringUtils.stringifyException(error));
  }

  @Override
  public void closeFileSystems() {
    try {
      OpenFileSystems.close(process);
    } catch (IOException e) {
      LOG.info("Closing the files of {}", attempt, e);
    }
  }

  @Override
  public void close() {
    shared.mapEvents().release(job.id());
  }

  @Override
  public void correct(Counters counters) {
    // nobody looks at them
  }

  @Override
  public Map<Enum<?>, Long> ownCounters() {
    return Map.of();
  }

  @Override
  public void exit(int status) {
    process.requestExit(status, true);
  }

  /** Programs of the job that is rehearsed just then. */
  record Factory(TaskSurroundings shared, Configuration node, Supplier<RehearsalJob> job)
      implements ContainerProgram.Factory {

    @Override
    public ContainerProgram create(HostedContainer container, TaskProcess process) {
      return new RehearsalProgram(container, process, shared, node, job.get());
    }

    @Override
    public String nameOf(HostedContainer container) {
      return attemptOf(container).toString();
    }

    @Override
    public String jobOf(HostedContainer container) {
      return attemptOf(container).getJobID().toString();
    }
  }
}
