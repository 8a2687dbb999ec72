// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.ToLongFunction;
import org.apache.hadoop.io.Text;
import org.mammoth.mapreduce.engine.containers.HostedContainers;
import org.mammoth.mapreduce.engine.containers.UserContainers;
import org.mammoth.mapreduce.engine.profile.EngineProfiler;
import org.mammoth.mapreduce.engine.readings.EngineReadings;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineProtocol;
import org.mammoth.mapreduce.protocol.EngineReport;
import org.mammoth.mapreduce.protocol.UserLaunch;

/** The engine's end of {@link EngineProtocol}. */
public final class EngineService implements EngineProtocol {

  private final HostedContainers tasks;
  private final UserContainers ofUser;
  private final EngineReadings readings;
  private final DoubleConsumer poolLimit;
  private final Consumer<String> jobEnds;
  private final ToLongFunction<String> cacheDrops;
  private final EngineProfiler profiler;

  /**
   * @param ofUser null in an engine that runs as its NodeManager's user
   * @param poolLimit takes what part of the cache pool may be lent
   * @param jobEnds takes the id of each job that is over
   * @param cacheDrops forgets files that are kept, by path, and says how many bytes
   * @param profiler samples what threads do
   */
  public EngineService(
      HostedContainers tasks,
      UserContainers ofUser,
      EngineReadings readings,
      DoubleConsumer poolLimit,
      Consumer<String> jobEnds,
      ToLongFunction<String> cacheDrops,
      EngineProfiler profiler) {
    this.tasks = tasks;
    this.ofUser = ofUser;
    this.readings = readings;
    this.poolLimit = poolLimit;
    this.jobEnds = jobEnds;
    this.cacheDrops = cacheDrops;
    this.profiler = profiler;
  }

  @Override
  public String launch(ContainerLaunchSpec spec) {
    return tasks.launch(spec);
  }

  @Override
  public String launchAsUser(ContainerLaunchSpec spec, UserLaunch launch) {
    return ofUser == null ? "it runs as the NodeManager's user" : ofUser.launch(spec, launch);
  }

  @Override
  public boolean withdraw(String containerId) {
    return tasks.withdraw(containerId);
  }

  @Override
  public boolean signal(String containerId, int signal) {
    return tasks.signal(containerId, signal);
  }

  @Override
  public EngineReport poll(String[] acknowledged, long waitMs) throws IOException {
    try {
      EngineReport report = tasks.poll(acknowledged, waitMs);
      if (ofUser != null) {
        // Before the ApplicationMaster hears of it and asks for the next container.
        report.exits().forEach(ofUser::ended);
      }
      return report;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the engine is ending");
    }
  }

  @Override
  public Text snapshot() {
    return new Text(readings.snapshotJson());
  }

  @Override
  public Text decisions(long from, int atMost) {
    return new Text(readings.decisionsJson(from, atMost));
  }

  @Override
  public void limitPool(double part) {
    poolLimit.accept(part);
  }

  @Override
  public void jobEnded(String job) {
    jobEnds.accept(job);
  }

  @Override
  public long dropCached(String path) {
    return cacheDrops.applyAsLong(path);
  }

  @Override
  public Text profile(int seconds) throws IOException {
    return new Text(profiler.profile(seconds));
  }

  @Override
  public void drain(String reason) {
    tasks.drain(reason);
  }
}
