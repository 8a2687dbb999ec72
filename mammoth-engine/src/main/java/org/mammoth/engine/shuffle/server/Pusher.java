// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.SegmentKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings together what maps of this node have in memory and which reduces want it. A reduce that
 * subscribes is offered what is there and what comes; each segment is offered once per
 * subscription. What is refused, or withdrawn before it was sent, is left to be pulled, as is an
 * output whose lengths can't be read. Any thread; nobody waits for a disk with its lock held.
 */
public final class Pusher {

  private static final Logger LOG = LoggerFactory.getLogger(Pusher.class);

  /** Reading back the lengths of what is offered; fetches do not stand behind it. */
  private static final String OFFERS = "offers";

  /** Someone who is told of segments of one partition. */
  interface Subscriber extends LocalSubscriber {
    String job();

    int partition();
  }

  private static final class JobOutput {
    private final Map<String, Published> published = new LinkedHashMap<>();
    private final Map<Integer, List<Subscriber>> subscribers = new HashMap<>();
  }

  private record Published(OutputLengths lengths, long identity) {}

  private final Map<String, JobOutput> jobs = new HashMap<>();

  /**
   * Offers the output of a finished map to all who subscribed or will. The map's thread; it reads
   * the lengths if they have left the memory already.
   *
   * @param identity see {@link Segment#identity()}; the same number the source gives later
   */
  public void published(String job, String mapAttempt, OutputLengths lengths, long identity) {
    Published output = new Published(lengths, identity);
    List<Subscriber> told = new ArrayList<>();
    synchronized (jobs) {
      JobOutput jobOutput = jobs.computeIfAbsent(job, name -> new JobOutput());
      if (jobOutput.published.putIfAbsent(mapAttempt, output) != null) {
        throw new IllegalStateException("the output of " + mapAttempt + " was published twice");
      }
      for (List<Subscriber> subscribers : jobOutput.subscribers.values()) {
        for (Subscriber subscriber : subscribers) {
          if (subscriber.partition() < lengths.partitions()) {
            told.add(subscriber);
          }
        }
      }
    }
    if (!told.isEmpty()) {
      readAndOffer(mapAttempt, output, told);
    }
  }

  private static void readAndOffer(String mapAttempt, Published output, List<Subscriber> told) {
    SegmentLengths lengths;
    try {
      lengths = output.lengths.read();
    } catch (IOException e) {
      LOG.warn("{} is not pushed, it can be fetched", mapAttempt, e);
      return;
    }
    for (Subscriber subscriber : told) {
      subscriber.offered(info(mapAttempt, lengths, output.identity, subscriber));
    }
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
   * Subscribes a reduce of this node; its own thread, which may wait for a disk.
   *
   * @return runs to end the subscription
   */
  public Runnable subscribeLocal(String job, int partition, LocalSubscriber receiver) {
    Subscriber subscriber = new Local(job, partition, receiver);
    add(subscriber, Readers.of(Runnable::run));
    return () -> remove(subscriber);
  }

  /**
   * Begins to offer; an event loop's thread, which waits for nothing.
   *
   * @param readers read what has left the memory
   */
  void add(Subscriber subscriber, Readers readers) {
    Map<String, Published> there;
    synchronized (jobs) {
      JobOutput jobOutput = jobs.computeIfAbsent(subscriber.job(), name -> new JobOutput());
      jobOutput
          .subscribers
          .computeIfAbsent(subscriber.partition(), partition -> new ArrayList<>())
          .add(subscriber);
      there = new LinkedHashMap<>(jobOutput.published);
    }
    Map<String, Published> away = new LinkedHashMap<>();
    there.forEach(
        (attempt, output) -> {
          if (subscriber.partition() < output.lengths.partitions()) {
            SegmentLengths lengths = output.lengths.inMemory();
            if (lengths == null) {
              away.put(attempt, output);
            } else {
              subscriber.offered(info(attempt, lengths, output.identity, subscriber));
            }
          }
        });
    if (!away.isEmpty()) {
      try {
        readers.execute(OFFERS, () -> offerAll(away, subscriber));
      } catch (RejectedExecutionException e) {
        LOG.debug("{} outputs are not pushed, as this ends", away.size(), e);
      }
    }
  }

  private void offerAll(Map<String, Published> away, Subscriber subscriber) {
    away.forEach(
        (attempt, output) -> {
          if (isStillWanted(attempt, output, subscriber)) {
            readAndOffer(attempt, output, List.of(subscriber));
          }
        });
  }

  private boolean isStillWanted(String attempt, Published output, Subscriber subscriber) {
    synchronized (jobs) {
      JobOutput job = jobs.get(subscriber.job());
      return job != null
          && job.published.get(attempt) == output
          && job.subscribers.getOrDefault(subscriber.partition(), List.of()).contains(subscriber);
    }
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

  private static SegmentInfo info(
      String attempt, SegmentLengths lengths, long identity, Subscriber subscriber) {
    int partition = subscriber.partition();
    return new SegmentInfo(
        new SegmentKey(subscriber.job(), attempt, partition),
        lengths.rawLength(partition),
        lengths.partLength(partition),
        identity,
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
