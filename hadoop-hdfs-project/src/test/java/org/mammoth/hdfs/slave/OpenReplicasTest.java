// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OpenReplicasTest {

  private static final String SENDING =
      "DataXceiver for client c at /127.0.0.1:1 [Sending block BP-1:blk_17_1001]";

  private final AtomicLong nanos = new AtomicLong();
  private final OpenReplicas replicas = new OpenReplicas(nanos::get);
  private final CountDownLatch sent = new CountDownLatch(1);
  private final Thread sender =
      new Thread(
          () -> {
            try {
              sent.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          },
          SENDING);

  @BeforeEach
  void send() {
    sender.start();
  }

  @AfterEach
  void end() throws InterruptedException {
    sent.countDown();
    sender.join();
  }

  @Test
  void aBlockIsReadWhileItsSenderIsNamedAfterIt() {
    assertThat(replicas.any()).isFalse();
    replicas.begin("BP-1", 17, sender);
    nanos.addAndGet(OpenReplicas.PIECES_APART_NANOS);
    assertThat(replicas.any()).isTrue();
    sender.setName(SENDING.replace("blk_17_", "blk_171_"));
    assertThat(replicas.any()).as("it sends another block").isFalse();
  }

  @Test
  void whoReadsInPiecesReadsBetweenTwoOfThem() throws Exception {
    end();
    for (int piece = 1; piece <= 3; piece++) {
      replicas.begin("BP-1", 17, sender);
      nanos.addAndGet(OpenReplicas.PIECES_APART_NANOS - 1);
      assertThat(replicas.any()).as("piece %d", piece).isTrue();
    }
    nanos.addAndGet(1);
    assertThat(replicas.any()).as("he did not ask again").isFalse();
  }

  @Test
  void aReaderThatDoesNotReadOnDoesNotCountForEver() {
    replicas.begin("BP-1", 17, sender);
    nanos.addAndGet(OpenReplicas.LONGEST_NANOS - 1);
    replicas.forgetOld();
    assertThat(replicas.any()).isTrue();
    nanos.addAndGet(1);
    assertThat(replicas.any()).isFalse();
    replicas.forgetOld();
    assertThat(replicas.remembers("BP-1", 17)).isFalse();
  }

  @Test
  void aBlockThatWasReadIsRememberedForAWhile() throws Exception {
    replicas.begin("BP-1", 17, sender);
    end();
    nanos.addAndGet(OpenReplicas.REMEMBERED_NANOS - 1);
    replicas.forgetOld();
    assertThat(replicas.any()).isFalse();
    assertThat(replicas.remembers("BP-1", 17)).isTrue();
    nanos.addAndGet(1);
    replicas.forgetOld();
    assertThat(replicas.remembers("BP-1", 17)).isFalse();
  }
}
