// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.Path;
import org.mammoth.engine.memory.CacheFile;
import org.mammoth.engine.memory.ReservedUnits;
import org.mammoth.engine.shuffle.SegmentInfo;
import org.mammoth.engine.shuffle.client.PushReceiver;
import org.mammoth.engine.sort.merge.SegmentInput;

/**
 * One map attempt's segment from another node, kept as it is in the map's file: pushed or pulled,
 * possibly first the one and then the other, into memory, or where there is none into a file. Its
 * bytes come on sockets' threads; the file belongs to the reduce's own thread.
 */
final class Arrival implements ReduceInput {

  /** How far it is. */
  enum State {
    /** Nothing is under way; what has come, if anything, is good. */
    IDLE,
    PUSHING,
    PULLING,
    COMPLETE,
    DROPPED
  }

  private final String attempt;
  private final ReceiveStore store;
  private State state = State.IDLE;

  /** Who brings it now; what others still have under way is passed over. */
  private Object source;

  private SegmentInfo info;
  private boolean small;
  private byte[] smallBytes;
  private UnitStream packed;
  private ReservedUnits reserved;
  private CacheFile memory;
  private SegmentCheck check;
  private long received;
  private boolean pushed;
  private byte[] copy = new byte[0];
  private Path path;
  private OutputStream file;

  /** Bytes of memory of a complete segment that is not packed with others. */
  private volatile long spillable;

  /** Nothing of the output of {@code attempt} has come yet. */
  Arrival(String attempt, ReceiveStore store) {
    this.attempt = attempt;
    this.store = store;
  }

  synchronized State state() {
    return state;
  }

  private boolean isUnderWay(Object from) {
    return source == from && (state == State.PUSHING || state == State.PULLING);
  }

  /** Who pushes it now; null if nobody does. */
  synchronized Object pusher() {
    return state == State.PUSHING ? source : null;
  }

  /** It is offered: {@code from} may push it if memory for all of it is to be had at once. */
  synchronized long offered(Object from, SegmentInfo offer) {
    if (state != State.IDLE) {
      return PushReceiver.REFUSE;
    }
    if (info != null && (info.identity() != offer.identity() || isOnDisk())) {
      return PushReceiver.REFUSE;
    }
    if (info == null && !beginInMemory(offer)) {
      return PushReceiver.REFUSE;
    }
    state = State.PUSHING;
    source = from;
    return received;
  }

  /** A refusal makes the scheduler ask back what others can do without: a second try is fair. */
  @SuppressWarnings("IdentityBinaryExpression") // it is a second try
  private boolean beginInMemory(SegmentInfo segment) {
    return begin(segment) || begin(segment);
  }

  /** Begins in memory; false, and nothing has changed, if there is none. */
  private boolean begin(SegmentInfo segment) {
    small = segment.partLength() <= store.small().largest();
    if (small) {
      smallBytes = new byte[(int) segment.partLength()];
      start(segment);
      return true;
    }
    try {
      reserved = ReservedUnits.take(store.units(), segment.partLength());
      if (reserved == null) {
        return false;
      }
      memory = new CacheFile(reserved);
    } catch (IllegalStateException e) {
      // the reduce has just ended, and its lease with it
      freeMemory();
      return false;
    }
    start(segment);
    return true;
  }

  private void start(SegmentInfo segment) {
    info = segment;
    received = 0;
    check = store.showsChecksum() ? new SegmentCheck(segment.partLength()) : null;
  }

  /** It is to be pulled by {@code by}; false if it comes in another way, or has come. */
  synchronized boolean startPull(Object by) {
    if (state != State.IDLE) {
      return false;
    }
    state = State.PULLING;
    source = by;
    return true;
  }

  /**
   * What is pulled turned out to be this: finds a place for it.
   *
   * @return false, and nothing has changed, if there is no memory and it may not go to a file
   */
  synchronized boolean opened(Object from, SegmentInfo segment, boolean mayUseFile) {
    if (isUnderWay(from) && info == null && !beginInMemory(segment)) {
      if (!mayUseFile) {
        return false;
      }
      start(segment);
    }
    return true;
  }

  /**
   * Takes the next bytes.
   *
   * @return null, or the same bytes for the reduce's thread to {@link #write}
   */
  synchronized byte[] append(Object from, ByteBuffer data) {
    if (!isUnderWay(from)) {
      return null;
    }
    int length = data.remaining();
    if (check != null) {
      check.update(data);
    }
    if (small) {
      data.get(smallBytes, (int) received, length);
      received += length;
      return null;
    }
    if (memory == null) {
      byte[] bytes = new byte[length];
      data.get(bytes);
      received += length;
      return bytes;
    }
    if (copy.length < length) {
      copy = new byte[length];
    }
    data.get(copy, 0, length);
    try {
      if (!memory.tryAppend(copy, 0, length)) {
        throw new IllegalStateException("the units reserved for " + attempt + " do not suffice");
      }
      received += length;
    } catch (IllegalStateException e) {
      // the reduce has just ended, and its memory with it
      state = State.DROPPED;
      freeMemory();
    }
    return null;
  }

  /** Puts bytes into its file; the reduce's thread. */
  void write(byte[] bytes) throws IOException {
    if (state() == State.DROPPED) {
      return;
    }
    if (file == null) {
      path = store.newFile(attempt, info.partLength());
      file = store.create(path);
    }
    file.write(bytes);
  }

  /** What was under way has ended early; it may go on at {@link #received}. */
  synchronized void stopped(Object from) {
    if (isUnderWay(from)) {
      state = State.IDLE;
    }
  }

  /** All of it has come. */
  synchronized void completed(Object from) {
    if (!isUnderWay(from)) {
      return;
    }
    pushed = state == State.PUSHING;
    if (small) {
      packed = store.small().add(smallBytes, attempt, this);
      if (packed == null && pushed) {
        // to be pulled, by a thread that may write it to disk
        forget();
        return;
      }
    } else if (memory != null) {
      memory.finish();
      reserved.close();
      spillable = memory.heldBytes();
    }
    state = State.COMPLETE;
    copy = null;
  }

  /**
   * Ends its file, if it has one, and tells whether its bytes are as they were written; the
   * reduce's thread.
   */
  boolean seal() throws IOException {
    if (small && packed == null) {
      write(smallBytes);
    }
    if (file != null) {
      file.close();
      file = null;
    }
    boolean whole = check == null ? decryptedIsWhole() : check.holds();
    smallBytes = null;
    return whole;
  }

  /** The checksum of what is encrypted can't be compared while it arrives. */
  private synchronized boolean decryptedIsWhole() throws IOException {
    long length = info.partLength();
    if (length == 0 || state == State.DROPPED) {
      return true;
    }
    if (smallBytes != null) {
      return store.isWhole(new ByteArrayInputStream(smallBytes), length);
    }
    return store.isWhole(
        memory != null ? new HeldStream(memory, 0, length, attempt) : store.open(path, length),
        length);
  }

  private void forget() {
    info = null;
    received = 0;
    smallBytes = null;
    copy = new byte[0];
    state = State.IDLE;
  }

  /** Throws away what has come, to begin anew with another output of the same attempt. */
  synchronized void restart() throws IOException {
    close();
    forget();
  }

  /** Good bytes so far. */
  synchronized long received() {
    return received;
  }

  /** The identity of what has come; 0 if nothing has. */
  synchronized long identity() {
    return info == null ? 0 : info.identity();
  }

  /** Whether its last bytes were pushed. */
  synchronized boolean pushed() {
    return pushed;
  }

  /** Bytes of its records and their checksum, as upstream counts what is shuffled. */
  synchronized long shuffledBytes() {
    return info.partLength() - store.format().padding();
  }

  synchronized boolean isOnDisk() {
    return info != null && (small ? path != null : memory == null);
  }

  @Override
  public String name() {
    return attempt;
  }

  @Override
  public synchronized long rawLength() {
    return info.rawLength() - store.format().padding();
  }

  @Override
  public synchronized CameFrom cameFrom() {
    return CameFrom.network(info.partLength());
  }

  @Override
  public synchronized SegmentInput open() throws IOException {
    spillable = 0;
    if (info.partLength() == 0) {
      return store.format().decodeDecrypted(new ByteArrayInputStream(new byte[0]), 0);
    }
    return store.format().decode(bytes(), info.partLength());
  }

  @Override
  public long spillableBytes() {
    return spillable;
  }

  @Override
  public void spill() throws IOException {
    if (spillable == 0) {
      return;
    }
    spillable = 0;
    Path to = store.spill(attempt, memory, store::create);
    synchronized (this) {
      path = to;
      memory.close();
      memory = null;
    }
  }

  private InputStream bytes() throws IOException {
    if (packed != null) {
      return packed;
    }
    return memory != null
        ? new UnitStream(memory, 0, info.partLength(), attempt, this)
        : store.open(path, info.partLength());
  }

  private void freeMemory() {
    spillable = 0;
    smallBytes = null;
    if (packed != null) {
      packed.release();
      packed = null;
    }
    if (memory != null) {
      memory.close();
      memory = null;
    }
    if (reserved != null) {
      reserved.close();
      reserved = null;
    }
  }

  /** Frees its memory and removes its file; the reduce's thread. Safe to call twice. */
  @Override
  public synchronized void close() throws IOException {
    state = State.DROPPED;
    freeMemory();
    if (file != null) {
      file.close();
      file = null;
    }
    if (path != null) {
      store.delete(path);
      path = null;
    }
  }
}
