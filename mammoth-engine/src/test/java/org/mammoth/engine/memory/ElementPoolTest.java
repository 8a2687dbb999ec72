// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mammoth.engine.memory.MemoryFixture.owner;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ElementPoolTest {

  private final Ledger ledger = new Ledger(1_000);

  @Test
  void isChargedAtOnceAndAllocatedWhenLent() {
    ElementPool pool = new ElementPool(ledger, 10, 12, 3);
    assertThat(ledger.used(BufferKind.ELEMENT)).isEqualTo(120);
    assertThat(pool.allocatedBytes()).isZero();
    ElementShare share = pool.open(owner("j", "m"));
    byte[] slab = share.poll();
    assertThat(slab).hasSize(10);
    assertThat(pool.allocatedBytes()).isEqualTo(10);
    share.give(slab);
    assertThat(share.poll()).as("lent again").isSameAs(slab);
    share.close();
    pool.close();
    assertThat(ledger.used()).isZero();
  }

  @Test
  void theRestIsMadeAheadAndLentAsMuchAsBefore() {
    ElementPool pool = new ElementPool(ledger, 10, 12, 3);
    ElementShare share = pool.open(owner("j", "m"));
    byte[] slab = share.poll();
    pool.makeAll();
    assertThat(pool.allocatedBytes()).isEqualTo(120);
    assertThat(drain(share)).hasSize(5);
    assertThat(pool.allocatedBytes()).isEqualTo(120);
    share.give(slab);
    share.close();
    pool.makeAll();
    assertThat(pool.allocatedBytes()).as("those a closed share held are replaced").isEqualTo(120);
    pool.close();
  }

  @Test
  void aLoneMapMayTakeAllButWhatIsSetAsideForTheOtherSlots() {
    ElementPool pool = new ElementPool(ledger, 10, 12, 3);
    ElementShare one = pool.open(owner("j", "m1"));
    assertThat(drain(one)).hasSize(6);
    one.close();
    assertThat(pool.lentSlabs()).isZero();
    pool.close();
  }

  @Test
  void mapsBorrowWhatIsInNobodysShare() {
    ElementPool pool = new ElementPool(ledger, 10, 12, 3);
    ElementShare one = pool.open(owner("j", "m1"));
    ElementShare two = pool.open(owner("j", "m2"));
    assertThat(drain(one)).as("all but the other's share and a free slot's").hasSize(5);
    assertThat(drain(two)).hasSize(4);
    ElementShare three = pool.open(owner("k", "m3"));
    assertThat(drain(three)).hasSize(3);
    one.close();
    assertThat(drain(three)).as("the rest of its share, and what is in nobody's").hasSize(2);
    two.close();
    three.close();
    pool.close();
  }

  /** Maps come and go and take what they can get: a new one never waits for its first slabs. */
  @Property(tries = 300)
  void whatIsSetAsideIsThereWhateverOthersBorrowed(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 6) int slots,
      @ForAll @IntRange(min = 2, max = 20) int perSlot) {
    Random random = new Random(seed);
    Ledger room = new Ledger(1_000_000);
    int slabs = perSlot * slots + random.nextInt(slots);
    ElementPool pool = new ElementPool(room, 10, slabs, slots);
    Map<ElementShare, Deque<byte[]>> running = new LinkedHashMap<>();
    for (int step = 0; step < 400; step++) {
      List<ElementShare> all = new ArrayList<>(running.keySet());
      if (all.isEmpty() || all.size() < slots && random.nextInt(10) == 0) {
        running.put(pool.open(owner("j" + step % 3, "m" + step)), new ArrayDeque<>());
        continue;
      }
      ElementShare share = all.get(random.nextInt(all.size()));
      Deque<byte[]> held = running.get(share);
      int dice = random.nextInt(60);
      if (dice == 0) {
        share.close();
        running.remove(share);
      } else if (dice < 10 && !held.isEmpty()) {
        share.give(held.poll());
      } else {
        byte[] slab = share.poll();
        if (slab != null) {
          held.add(slab);
        } else {
          assertThat(held.size()).isGreaterThanOrEqualTo(Math.min(3, perSlot));
          if (all.size() == 1) {
            assertThat(held).hasSize(slabs - pool.setAside() * (slots - 1));
          }
        }
      }
      assertThat(pool.lentSlabs())
          .isEqualTo(running.values().stream().mapToInt(Deque::size).sum())
          .isLessThanOrEqualTo(slabs);
    }
    running.keySet().forEach(ElementShare::close);
    pool.close();
    assertThat(room.used()).isZero();
  }

  @Test
  void aMapThatStartsDoesNotWaitForOneThatHoldsAllItCan() throws Exception {
    ElementPool pool = new ElementPool(ledger, 10, 40, 4);
    ElementShare one = pool.open(owner("j", "m1"));
    assertThat(drain(one)).hasSize(31);
    List<Thread> others = new ArrayList<>();
    for (int i = 2; i <= 4; i++) {
      ElementShare share = pool.open(owner("k", "m" + i));
      Thread thread =
          new Thread(
              () -> {
                try {
                  for (int slab = 0; slab < pool.setAside(); slab++) {
                    share.take();
                  }
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      thread.start();
      others.add(thread);
    }
    for (Thread thread : others) {
      thread.join(10_000);
      assertThat(thread.isAlive()).as("it waits").isFalse();
    }
    assertThat(pool.lentSlabs()).isEqualTo(40);
  }

  private static List<byte[]> drain(ElementShare share) {
    List<byte[]> taken = new ArrayList<>();
    for (byte[] slab = share.poll(); slab != null; slab = share.poll()) {
      taken.add(slab);
    }
    return taken;
  }

  @Test
  void aWaitingMapGetsWhatIsGivenBack() throws Exception {
    ElementPool pool = new ElementPool(ledger, 10, 4, 1);
    ElementShare one = pool.open(owner("j", "m1"));
    List<byte[]> all = drain(one);
    ElementShare two = pool.open(owner("j", "m2"));
    List<byte[]> got = new ArrayList<>();
    Thread waiter =
        new Thread(
            () -> {
              try {
                got.add(two.take());
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    waiter.start();
    one.give(all.get(0));
    waiter.join(10_000);
    assertThat(got).hasSize(1);
    assertThatThrownBy(() -> one.give(got.get(0))).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> one.give(new byte[10])).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(pool::close)
        .hasMessageContaining("4 elements")
        .hasMessageContaining("m2 of job j");
  }

  @Test
  void whatAnEndedMapStillWritesIsNobodysMemory() {
    ElementPool pool = new ElementPool(ledger, 10, 4, 1);
    ElementShare killed = pool.open(owner("j", "m1"));
    byte[] slab = killed.poll();
    killed.close();
    ElementShare next = pool.open(owner("j", "m2"));
    assertThat(drain(next)).hasSize(4).noneMatch(other -> other == slab);
    assertThatThrownBy(killed::poll).hasMessageContaining("m1 of job j");
    next.close();
    pool.close();
  }

  @Test
  void refusesWhatCannotWork() {
    assertThatThrownBy(() -> new ElementPool(ledger, 10, 5, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("mammoth.memory.element");
    assertThatThrownBy(() -> new ElementPool(ledger, 100, 12, 3))
        .isInstanceOf(IllegalStateException.class);
    assertThat(ledger.used()).isZero();
  }
}
