package org.mammoth.hdfs.slave;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.mammoth.mpcache.slave.BlockKey;

class OpenReadsTest {

  private static final BlockKey BLOCK = new BlockKey("BP-1", 17, 1_001, 4 << 20);
  private static final String SENDING =
      "DataXceiver for client c at /127.0.0.1:1 [Sending block BP-1:blk_17_1001]";

  private final AtomicLong nanos = new AtomicLong();
  private final OpenReads reads = new OpenReads(nanos::get);

  @Test
  void aBlockIsReadWhileItsSenderIsNamedAfterIt() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Thread sender =
        new Thread(
            () -> {
              try {
                end.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            SENDING);
    sender.start();
    assertThat(reads.isOpen(BLOCK)).isFalse();
    reads.begin(BLOCK, 0, sender);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(4));
    assertThat(reads.isOpen(BLOCK)).isTrue();
    sender.setName("DataXceiver for client c at /127.0.0.1:1 [Sending block BP-1:blk_171_1001]");
    assertThat(reads.isOpen(BLOCK)).as("another block").isFalse();
    sender.setName(SENDING);
    reads.begin(BLOCK, 0, sender);
    end.countDown();
    sender.join();
    assertThat(reads.isOpen(BLOCK)).as("its thread has ended").isFalse();
  }

  /** A thread that has sent what it was named after. */
  private static Thread ended(String name) throws InterruptedException {
    Thread sender = new Thread(() -> {}, name);
    sender.start();
    sender.join();
    return sender;
  }

  @Test
  void whoReadsInPiecesIsWaitedForBetweenTwoOfThem() throws Exception {
    Thread sender = ended(SENDING);
    for (int piece = 1; piece <= 3; piece++) {
      reads.begin(BLOCK, piece, sender);
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
      reads.forgetEnded();
      assertThat(reads.isOpen(BLOCK)).as("piece %d", piece).isTrue();
    }
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    assertThat(reads.isOpen(BLOCK)).as("he did not ask again").isFalse();
  }

  @Test
  void theFirstPieceIsWaitedForOfANewReaderOnly() throws Exception {
    Thread sender = ended(SENDING);
    boolean open = true;
    int beat = 0;
    while (open) {
      // He reads the whole of it again and again.
      reads.begin(BLOCK, 0, sender);
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
      reads.forgetEnded();
      open = reads.isOpen(BLOCK);
      beat++;
    }
    assertThat(beat).isEqualTo(3);
    Thread other = ended(SENDING.replace("client c", "client d"));
    reads.begin(BLOCK, 0, other);
    assertThat(reads.isOpen(BLOCK)).as("somebody else").isTrue();
  }

  @Test
  void aReaderThatDoesNotReadOnIsNotWaitedForForEver() {
    Thread sender = Thread.currentThread();
    String name = sender.getName();
    sender.setName(SENDING);
    try {
      reads.begin(BLOCK, 0, sender);
      nanos.addAndGet(TimeUnit.MINUTES.toNanos(4));
      reads.forgetEnded();
      assertThat(reads.isOpen(BLOCK)).isTrue();
      nanos.addAndGet(TimeUnit.MINUTES.toNanos(2));
      assertThat(reads.isOpen(BLOCK)).isFalse();
    } finally {
      sender.setName(name);
    }
  }
}
