// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.ShuffleException;

/**
 * One subscription of an engine at one node for one job: it carries what is offered for all
 * partitions that reduces of this engine want. Their credits are one; a reduce that ends leaves its
 * part to the others until what they return has made up for it. Any thread.
 */
final class SharedSubscription implements PushReceiver {

  /** Opens a subscription of its own for one partition. */
  interface Opener {
    SubscriptionCall open(int partition, String reduceAttempt, long credit, PushReceiver receiver);
  }

  private final Opener opener;
  private final Consumer<SharedSubscription> gone;
  private final Map<Integer, Member> members = new ConcurrentHashMap<>();
  private SubscriptionCall call;
  private long excess;
  private boolean over;

  /** One that nobody has joined; {@code gone} is told when nobody can any more. */
  SharedSubscription(Opener opener, Consumer<SharedSubscription> gone) {
    this.opener = opener;
    this.gone = gone;
  }

  /**
   * One reduce more.
   *
   * @return null if another one has this partition, or the subscription is over
   */
  synchronized Subscription join(
      int partition, String reduceAttempt, long credit, PushReceiver receiver) {
    if (over || members.containsKey(partition)) {
      return null;
    }
    Member member = new Member(partition, reduceAttempt, credit, receiver);
    members.put(partition, member);
    if (call == null) {
      call = opener.open(partition, reduceAttempt, credit, this);
      call.shareWith(this::leaveAlone);
      call.connect();
    } else {
      call.want(partition, reduceAttempt);
      grant(credit);
    }
    return member;
  }

  /** Whether it has ended, and another one is to be opened. */
  synchronized boolean isOver() {
    return over;
  }

  private synchronized void grant(long bytes) {
    long kept = Math.min(excess, bytes);
    excess -= kept;
    if (bytes > kept) {
      call.credit(bytes - kept);
    }
  }

  /** The node speaks version 1: each of these partitions gets a subscription of its own. */
  private void leaveAlone(List<Integer> partitions) {
    for (int partition : partitions) {
      Member member = members.get(partition);
      if (member != null) {
        member.goAlone();
      }
    }
  }

  private void leave(Member member) {
    if (!members.remove(member.partition, member) || over) {
      return;
    }
    if (members.isEmpty()) {
      over = true;
      call.close();
      gone.accept(this);
    } else if (member.own == null) {
      call.unwant(member.partition);
      settle(member);
    }
  }

  /**
   * What a member brought goes, less what it has used up; what it used up beyond that is made up.
   */
  private void settle(Member member) {
    long left = member.credit - member.owed;
    if (left >= 0) {
      excess += left;
    } else {
      grant(-left);
    }
  }

  @Override
  public long offer(SegmentInfo segment) {
    Member member = members.get(segment.key().partition());
    return member == null ? REFUSE : member.receiver.offer(segment);
  }

  @Override
  public void chunk(SegmentInfo segment, long offset, ByteBuffer data) {
    int length = data.remaining();
    Member member;
    synchronized (this) {
      member = members.get(segment.key().partition());
      if (member == null) {
        grant(length);
        return;
      }
      member.owed += length;
    }
    member.receiver.chunk(segment, offset, data);
  }

  @Override
  public void complete(SegmentInfo segment) {
    Member member = members.get(segment.key().partition());
    if (member != null) {
      member.receiver.complete(segment);
    }
  }

  @Override
  public void failed(SegmentInfo segment, ShuffleException cause) {
    Member member = members.get(segment.key().partition());
    if (member != null) {
      member.receiver.failed(segment, cause);
    }
  }

  @Override
  public void disconnected(ShuffleException cause) {
    members.values().forEach(member -> member.receiver.disconnected(cause));
  }

  @Override
  public void ended(ShuffleException cause) {
    synchronized (this) {
      over = true;
    }
    gone.accept(this);
    members.values().stream()
        .filter(member -> member.own == null)
        .forEach(member -> member.receiver.ended(cause));
  }

  /** One reduce's part. */
  private final class Member implements Subscription {

    private final int partition;
    private final String reduceAttempt;
    private final long credit;
    private final PushReceiver receiver;

    /** Bytes that came and were not returned as credit. */
    private long owed;

    private volatile SubscriptionCall own;
    private boolean closed;

    Member(int partition, String reduceAttempt, long credit, PushReceiver receiver) {
      this.partition = partition;
      this.reduceAttempt = reduceAttempt;
      this.credit = credit;
      this.receiver = receiver;
    }

    private void goAlone() {
      synchronized (SharedSubscription.this) {
        if (closed || own != null) {
          return;
        }
        own = opener.open(partition, reduceAttempt, credit, receiver);
        settle(this);
        call.unwant(partition);
      }
      own.connect();
    }

    @Override
    public void credit(long bytes) {
      synchronized (SharedSubscription.this) {
        if (own != null) {
          own.credit(bytes);
        } else if (!closed && !over) {
          owed -= bytes;
          grant(bytes);
        }
      }
    }

    @Override
    public long available() {
      SubscriptionCall mine = own;
      return mine == null ? call.available() : mine.available();
    }

    @Override
    public void close() {
      synchronized (SharedSubscription.this) {
        closed = true;
        if (own != null) {
          own.close();
        }
        leave(this);
      }
    }
  }
}
