package org.mammoth.engine.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mammoth.engine.memory.MemoryFixture.owner;

import java.util.ArrayList;
import java.util.List;
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
  void aLonelyMapMayTakeAllAndOthersStillGetTheirShare() {
    ElementPool pool = new ElementPool(ledger, 10, 12, 3);
    ElementShare one = pool.open(owner("j", "m1"));
    assertThat(one.queueCap()).isEqualTo(11);
    ElementShare two = pool.open(owner("j", "m2"));
    assertThat(one.queueCap()).as("one fewer than its share").isEqualTo(3);
    assertThat(drain(one)).as("all but the other's share").hasSize(8);
    assertThat(drain(two)).hasSize(4);
    one.close();
    two.close();
    assertThat(pool.lentSlabs()).isZero();
    pool.close();
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
    ElementPool pool = new ElementPool(ledger, 10, 4, 2);
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
    ElementPool pool = new ElementPool(ledger, 10, 4, 2);
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
