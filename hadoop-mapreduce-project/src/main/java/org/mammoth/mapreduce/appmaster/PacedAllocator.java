// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.appmaster;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.app.AppContext;
import org.apache.hadoop.mapreduce.v2.app.client.ClientService;
import org.apache.hadoop.mapreduce.v2.app.rm.ContainerAllocatorEvent;
import org.apache.hadoop.mapreduce.v2.app.rm.RMContainerAllocator;
import org.apache.hadoop.mapreduce.v2.app.rm.preemption.AMPreemptionPolicy;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * Upstream's allocator of containers, which asks the ResourceManager when {@link HeartbeatPace} has
 * it ask. A small job waits for four such questions; a large one asks most of its own in vain.
 */
public final class PacedAllocator extends RMContainerAllocator {

  /**
   * How long upstream pauses itself, ms: before each question, which then waits for its time, and
   * at the end until the ResourceManager has noted that the job is over ({@link PatientEnd}).
   */
  private static final int UPSTREAMS_PAUSE_MS = 2;

  /** What each task of a job adds to the shortest pause: two hundred add ten milliseconds. */
  private static final long TASKS_PER_MS = 20;

  private final long longestMs;

  private final Object lock = new Object();

  /** Guarded by {@link #lock}. Null until the first question. */
  private HeartbeatPace pace;

  /**
   * @param longestMs longest time between two questions, ms
   */
  public PacedAllocator(
      ClientService clientService, AppContext context, AMPreemptionPolicy policy, long longestMs) {
    super(clientService, context, policy);
    this.longestMs = longestMs;
  }

  /** Upstream makes its allocator only when it starts; what it reads may change until then. */
  @Override
  protected void serviceInit(Configuration conf) {}

  @Override
  protected void serviceStart() throws Exception {
    Configuration conf = new Configuration(getConfig());
    conf.setInt(MRJobConfig.MR_AM_TO_RM_HEARTBEAT_INTERVAL_MS, UPSTREAMS_PAUSE_MS);
    super.serviceInit(conf);
    super.serviceStart();
  }

  @Override
  protected ApplicationMasterProtocol createSchedulerProxy() {
    return new PatientEnd(
        super.createSchedulerProxy(), UPSTREAMS_PAUSE_MS, TimeUnit.MILLISECONDS::sleep);
  }

  /** Something has happened to a task. Any thread. */
  public void happened() {
    synchronized (lock) {
      if (pace != null) {
        pace.happened(System.nanoTime());
        lock.notifyAll();
      }
    }
  }

  @Override
  public void handle(ContainerAllocatorEvent event) {
    super.handle(event);
    happened();
  }

  @Override
  protected AllocateResponse makeRemoteRequest() throws YarnException, IOException {
    AllocateResponse response = super.makeRemoteRequest();
    if (!response.getAllocatedContainers().isEmpty()
        || !response.getCompletedContainersStatuses().isEmpty()) {
      happened();
    }
    return response;
  }

  @Override
  protected void heartbeat() throws Exception {
    if (awaitTurn()) {
      super.heartbeat();
    }
  }

  /** Waits until it is to ask. False if this ends, which upstream's loop then sees by itself. */
  private boolean awaitTurn() {
    synchronized (lock) {
      if (pace == null) {
        long tasks = (long) getJob().getTotalMaps() + getJob().getTotalReduces();
        pace = new HeartbeatPace(tasks / TASKS_PER_MS, longestMs, System.nanoTime());
      }
      try {
        long left = pace.untilDue(System.nanoTime());
        while (left > 0) {
          TimeUnit.NANOSECONDS.timedWait(lock, left);
          left = pace.untilDue(System.nanoTime());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
      pace.asks(System.nanoTime());
      return true;
    }
  }
}
