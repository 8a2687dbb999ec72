// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.shuffle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.sort.merge.SegmentInput;

/** What other nodes sent goes to disk when others need its memory, and only then. */
class SpillsTest {

  private static final class Segment implements ReduceInput {
    private final String name;
    private long bytes;
    private boolean fails;
    private int spilled;

    Segment(String name, long bytes) {
      this.name = name;
      this.bytes = bytes;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public long rawLength() {
      return bytes;
    }

    @Override
    public CameFrom cameFrom() {
      return CameFrom.NOWHERE;
    }

    @Override
    public SegmentInput open() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long spillableBytes() {
      return bytes;
    }

    @Override
    public void spill() throws IOException {
      spilled++;
      if (fails) {
        throw new IOException("no disk");
      }
      bytes = 0;
    }

    @Override
    public void close() {}
  }

  private final Deque<Runnable> thread = new ArrayDeque<>();
  private final Spills spills = new Spills();
  private final Segment small = new Segment("small", 1);
  private final Segment large = new Segment("large", 5);
  private final Segment middle = new Segment("middle", 3);

  private void addAll() {
    spills.add(small);
    spills.add(large);
    spills.add(middle);
    spills.add(new Segment("on disk", 0));
  }

  private void runAll() {
    while (!thread.isEmpty()) {
      thread.poll().run();
    }
  }

  @Test
  void theLargestGoFirstAndNoMoreThanIsWanted() {
    spills.use(thread::add);
    addAll();
    assertThat(spills.bytes()).isEqualTo(9);
    assertThat(spills.begin(6)).isEqualTo(8);
    assertThat(large.spilled).as("whoever asks does not write").isZero();
    assertThat(spills.bytes()).as("what is chosen is not offered again").isEqualTo(1);
    runAll();
    assertThat(large.spilled).isEqualTo(1);
    assertThat(middle.spilled).isEqualTo(1);
    assertThat(small.spilled).isZero();
  }

  @Test
  void nothingIsPromisedBeforeAThreadIsThereOrAfterTheMergeBegan() {
    addAll();
    assertThat(spills.bytes() + spills.begin(9)).isZero();
    spills.use(thread::add);
    assertThat(spills.begin(1)).isEqualTo(5);
    spills.end();
    runAll();
    assertThat(large.spilled).isZero();
    assertThat(spills.bytes() + spills.begin(9)).isZero();
  }

  @Test
  void aFailedSpillLeavesTheSegmentInMemoryAndIsNotTriedAgain() {
    spills.use(thread::add);
    large.fails = true;
    addAll();
    spills.begin(5);
    runAll();
    assertThat(spills.begin(9)).isEqualTo(4);
    runAll();
    assertThat(large.spilled).isEqualTo(1);
    assertThat(large.bytes).isEqualTo(5);
  }
}
