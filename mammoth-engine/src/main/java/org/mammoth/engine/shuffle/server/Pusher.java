// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.SegmentKey;

/**
 * Brings together what maps of this node have in memory and which reduces want it. A reduce that
 * subscribes is offered what is there and what comes; each segment is offered once per
 * subscription. What is refused, or withdrawn before it was sent, is left to be pulled. Any thread.
 */
public final class Pusher {

  /** Someone who is told of segments of one partition. */
  interface Subscriber extends LocalSubscriber {
    String job();

    int partition();
  }

  private static final class JobOutput {
    private final Map<String, Published> published = new LinkedHashMap<>();
    private final Map<Integer, List<Subscriber>> subscribers = new HashMap<>();
  }

  private record Published(SegmentLengths lengths, long identity) {}

  private final Map<String, JobOutput> jobs = new HashMap<>();

  /**
   * Offers the output of a finished map to all who subscribed or will.
   *
   * @param identity see {@link Segment#identity()}; the same number the source gives later
   */
  public void published(String job, String mapAttempt, SegmentLengths lengths, long identity) {
    Published output = new Published(lengths, identity);
    Map<Subscriber, SegmentInfo> offers = new IdentityHashMap<>();
    synchronized (jobs) {
      JobOutput jobOutput = jobs.computeIfAbsent(job, name -> new JobOutput());
      if (jobOutput.published.putIfAbsent(mapAttempt, output) != null) {
        throw new IllegalStateException("the output of " + mapAttempt + " was published twice");
      }
      for (List<Subscriber> subscribers : jobOutput.subscribers.values()) {
        for (Subscriber subscriber : subscribers) {
          if (subscriber.partition() < lengths.partitions()) {
            offers.put(subscriber, info(job, mapAttempt, output, subscriber.partition()));
          }
        }
      }
    }
    offers.forEach(Subscriber::offered);
  }

  /** Stops offering an attempt's output: it left the memory, or the attempt is obsolete. */
  public void withdrawn(String job, String mapAttempt) {
    List<Subscriber> told = new ArrayList<>();
    synchronized (jobs) {
      JobOutput jobOutput = jobs.get(job);
      if (jobOutput == null || jobOutput.published.remove(mapAttempt) == null) {
        return;
      }
      jobOutput.subscribers.values().forEach(told::addAll);
      forgetIfEmpty(job, jobOutput);
    }
    told.forEach(subscriber -> subscriber.withdrawn(mapAttempt));
  }

  /** Drops everything of a job. Streams of remote reduces are ended by the server. */
  public void jobFinished(String job) {
    synchronized (jobs) {
      jobs.remove(job);
    }
  }

  /**
   * Subscribes a reduce of this node.
   *
   * @return runs to end the subscription
   */
  public Runnable subscribeLocal(String job, int partition, LocalSubscriber receiver) {
    Subscriber subscriber = new Local(job, partition, receiver);
    add(subscriber);
    return () -> remove(subscriber);
  }

  void add(Subscriber subscriber) {
    List<SegmentInfo> offers = new ArrayList<>();
    synchronized (jobs) {
      JobOutput jobOutput = jobs.computeIfAbsent(subscriber.job(), name -> new JobOutput());
      jobOutput
          .subscribers
          .computeIfAbsent(subscriber.partition(), partition -> new ArrayList<>())
          .add(subscriber);
      jobOutput.published.forEach(
          (attempt, output) -> {
            if (subscriber.partition() < output.lengths.partitions()) {
              offers.add(info(subscriber.job(), attempt, output, subscriber.partition()));
            }
          });
    }
    offers.forEach(subscriber::offered);
  }

  void remove(Subscriber subscriber) {
    synchronized (jobs) {
      JobOutput jobOutput = jobs.get(subscriber.job());
      if (jobOutput == null) {
        return;
      }
      List<Subscriber> list = jobOutput.subscribers.get(subscriber.partition());
      if (list != null && list.remove(subscriber) && list.isEmpty()) {
        jobOutput.subscribers.remove(subscriber.partition());
      }
      forgetIfEmpty(subscriber.job(), jobOutput);
    }
  }

  /** Jobs with something published or someone subscribed. */
  int jobs() {
    synchronized (jobs) {
      return jobs.size();
    }
  }

  private void forgetIfEmpty(String job, JobOutput jobOutput) {
    if (jobOutput.published.isEmpty() && jobOutput.subscribers.isEmpty()) {
      jobs.remove(job);
    }
  }

  private static SegmentInfo info(String job, String attempt, Published output, int partition) {
    return new SegmentInfo(
        new SegmentKey(job, attempt, partition),
        output.lengths.rawLength(partition),
        output.lengths.partLength(partition),
        output.identity,
        SegmentInfo.IN_MEMORY);
  }

  private record Local(String job, int partition, LocalSubscriber receiver) implements Subscriber {

    @Override
    public void offered(SegmentInfo segment) {
      receiver.offered(segment);
    }

    @Override
    public void withdrawn(String mapAttempt) {
      receiver.withdrawn(mapAttempt);
    }
  }
}
