// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.upgrade.tree.Release;

/**
 * Runs that end at every moment at which one can end: killed, or because a change to a disk fails.
 * Files are real; the NodeManager is not, and outlives the run.
 */
class InterruptionsTest {

  private static final RunOptions OPTIONS =
      new RunOptions(Duration.ofSeconds(30), Duration.ofSeconds(30), false, true, false);
  private static final RunOptions PROBING =
      new RunOptions(Duration.ofSeconds(30), Duration.ofSeconds(30), false, true, true);
  private static final int MOST = 200;

  /** More by {@code -DargLine=-Dmammoth.upgrade.seeds=N}. */
  private static final int SEEDS = Integer.getInteger("mammoth.upgrade.seeds", 40);

  @TempDir Path folder;

  private int trees;
  private TestTree tree;
  private SimulatedNodeManager nodeManager;
  private SortedMap<String, String> before;

  /** The command is killed. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  /** Ends a run at its n-th moment. */
  private static final class EndAt implements Disk.Moment {
    private final int end;
    private final boolean kill;
    private final List<String> seen = new ArrayList<>();

    EndAt(int end, boolean kill) {
      this.end = end;
      this.kill = kill;
    }

    @Override
    public void before(String what) throws IOException {
      seen.add(what);
      if (seen.size() == end && kill) {
        throw new Killed();
      }
      // A disk that is full stays so; removing and restarting still work.
      if (seen.size() >= end && !kill && what.matches("(mkdir|write|copy|link|journal) .*")) {
        throw new IOException("No space left on device");
      }
    }
  }

  @BeforeEach
  void start() throws IOException {
    tree = new TestTree(Files.createDirectory(folder.resolve("tree" + trees++)));
    nodeManager = new SimulatedNodeManager(Layout.of(tree.hadoop));
    before = tree.contents();
  }

  private NodeUpgrade upgrade(Disk.Moment moment) {
    nodeManager.at(moment);
    return new NodeUpgrade(
        tree.hadoop, new Disk(moment), nodeManager, Clock.systemUTC(), line -> {});
  }

  private boolean apply(Release release, Disk.Moment moment) throws Exception {
    try {
      upgrade(moment).apply(release, OPTIONS);
      return true;
    } catch (Killed | IOException end) {
      return false;
    }
  }

  private boolean rollback(Disk.Moment moment) throws Exception {
    try {
      upgrade(moment).rollback(OPTIONS);
      return true;
    } catch (Killed | IOException end) {
      return false;
    }
  }

  private static void nothing(String what) {}

  private void assertWorks(String when) {
    assertThat(nodeManager.runs()).as("the NodeManager runs, %s", when).isTrue();
    assertThat(nodeManager.lost).as("tasks lost, %s", when).isZero();
  }

  private void assertIsAsBefore(String when) throws IOException {
    assertWorks(when);
    assertThat(nodeManager.running().get().release()).as(when).isEmpty();
    assertThat(tree.contents()).as(when).isEqualTo(before);
  }

  private void assertHas(Release release, String when) throws IOException {
    assertWorks(when);
    assertThat(nodeManager.complaint(true)).as(when).isEmpty();
    assertThat(nodeManager.running().get().release()).as(when).contains(release.id());
    assertThat(Layout.of(tree.hadoop).versionIds()).as(when).containsExactly(release.id());
    Map<String, String> now = tree.contents();
    assertThat(now).as(when).containsAllEntriesOf(before);
    assertThat(now.keySet()).as(when).noneMatch(name -> name.endsWith(".new"));
  }

  @Test
  void applyAddsAndRollbackRemovesAllOfIt() throws Exception {
    Release release = tree.release(1);
    assertThat(apply(release, InterruptionsTest::nothing)).isTrue();
    assertHas(release, "after apply");
    nodeManager.job(3);
    assertThat(rollback(InterruptionsTest::nothing)).isTrue();
    assertIsAsBefore("after rollback");
  }

  @Test
  void applyThatEndsAnywhereIsCompletedOrTakenBack() throws Exception {
    for (boolean kill : List.of(true, false)) {
      int end = 1;
      boolean done = false;
      for (; !done && end < MOST; end++) {
        for (boolean forward : List.of(true, false)) {
          start();
          Release release = tree.release(1);
          String when = (kill ? "killed" : "disk full") + " at moment " + end + " of apply";
          done = apply(release, new EndAt(end, kill));
          assertWorks(when);
          if (forward) {
            assertThat(apply(release, InterruptionsTest::nothing)).as(when).isTrue();
            assertHas(release, when);
          }
          nodeManager.job(2);
          assertThat(rollback(InterruptionsTest::nothing)).as(when).isTrue();
          assertIsAsBefore(when);
        }
      }
      assertThat(end).isBetween(15, MOST - 1);
    }
  }

  @Test
  void rollbackThatEndsAnywhereIsCompletedOrTurnedAround() throws Exception {
    int end = 1;
    boolean done = false;
    for (; !done && end < MOST; end++) {
      for (boolean forward : List.of(true, false)) {
        start();
        Release release = tree.release(1);
        String when = "killed at moment " + end + " of rollback";
        assertThat(apply(release, InterruptionsTest::nothing)).isTrue();
        nodeManager.job(2);
        done = rollback(new EndAt(end, true));
        assertWorks(when);
        if (forward) {
          assertThat(apply(release, InterruptionsTest::nothing)).as(when).isTrue();
          assertHas(release, when);
        }
        assertThat(rollback(InterruptionsTest::nothing)).as(when).isTrue();
        assertIsAsBefore(when);
      }
    }
    assertThat(end).isBetween(15, MOST - 1);
  }

  @Test
  void rollbackNeedsNoRoomOnTheDisk() throws Exception {
    Release release = tree.release(1);
    assertThat(apply(release, InterruptionsTest::nothing)).isTrue();
    nodeManager.job(2);
    assertThat(rollback(new EndAt(1, false))).isTrue();
    assertIsAsBefore("disk full");
  }

  @Test
  void fromOneReleaseToTheNextAnywhere() throws Exception {
    int end = 1;
    boolean done = false;
    for (; !done && end < MOST; end++) {
      start();
      String when = "killed at moment " + end + " of the second apply";
      assertThat(apply(tree.release(1), InterruptionsTest::nothing)).isTrue();
      nodeManager.job(2);
      done = apply(tree.release(2), new EndAt(end, true));
      assertWorks(when);
      assertThat(apply(tree.release(2), InterruptionsTest::nothing)).as(when).isTrue();
      assertHas(tree.release(2), when);
      assertThat(rollback(InterruptionsTest::nothing)).as(when).isTrue();
      assertIsAsBefore(when);
    }
    assertThat(end).isBetween(15, MOST - 1);
  }

  @Test
  void whateverIsDoneInWhateverOrder() throws Exception {
    for (int seed = 0; seed < SEEDS; seed++) {
      start();
      Random random = new Random(seed);
      for (int i = 0; i < 6; i++) {
        EndAt end = new EndAt(1 + random.nextInt(40), true);
        nodeManager.job(random.nextInt(3));
        if (random.nextInt(3) == 0) {
          rollback(end);
        } else {
          apply(tree.release(1 + random.nextInt(2)), end);
        }
        assertWorks("seed " + seed);
      }
      assertThat(rollback(InterruptionsTest::nothing)).as("seed %d", seed).isTrue();
      assertIsAsBefore("seed " + seed);
    }
  }

  @Test
  void aNodeManagerThatDoesNotStartIsTakenBack() throws Exception {
    nodeManager.failsWithMammoth();
    assertThat(apply(tree.release(1), InterruptionsTest::nothing)).isFalse();
    assertIsAsBefore("it did not start");
  }

  @Test
  void aNodeManagerThatStartsAndDoesNotAnswerIsTakenBack() throws Exception {
    nodeManager.hangsWithMammoth();
    RunOptions atOnce = new RunOptions(Duration.ZERO, Duration.ZERO, false, true, false);
    NodeUpgrade upgrade = upgrade(InterruptionsTest::nothing);
    assertThatThrownBy(() -> upgrade.apply(tree.release(1), atOnce))
        .hasMessageEndingWith("the node runs stock Hadoop again");
    assertIsAsBefore("it did not answer");
  }

  @Test
  void aNodeOnWhichNothingIsToBeDoneStaysAsItIs() throws Exception {
    Release release = tree.release(1);
    assertThat(apply(release, InterruptionsTest::nothing)).isTrue();
    nodeManager.isBusy();
    NodeUpgrade again = upgrade(InterruptionsTest::nothing);
    assertThatThrownBy(() -> again.apply(release, PROBING))
        .hasMessage("the probe job did not succeed: it waits for its queue");
    assertHas(release, "after a probe that failed");
  }

  @Test
  void aSecondReleaseThatEndsAnywhereGoesBackToTheFirst() throws Exception {
    int end = 1;
    boolean done = false;
    boolean proven = false;
    for (; !done && end < MOST; end++) {
      start();
      String when = "killed at moment " + end + " of the second apply";
      assertThat(apply(tree.release(1), InterruptionsTest::nothing)).isTrue();
      EndAt killed = new EndAt(end, true);
      done = apply(tree.release(2), killed);
      // A run that is killed before a moment has not had it.
      int tidy = killed.seen.indexOf("journal BEGIN tidy") + 1;
      proven = tidy > 0 && tidy < end;
      nodeManager.isBusy();
      NodeUpgrade again = upgrade(InterruptionsTest::nothing);
      assertThatThrownBy(() -> again.apply(tree.release(2), PROBING)).as(when).isNotNull();
      assertWorks(when);
      assertThat(nodeManager.running().get().release())
          .as(when)
          .contains(tree.release(proven ? 2 : 1).id());
    }
    assertThat(end).isBetween(15, MOST - 1);
    assertThat(proven).isTrue();
  }

  @Test
  void whereNobodyCanTellWhetherItIsWellTheNodeComesBackAllTheSame() throws Exception {
    RunOptions atOnce = new RunOptions(Duration.ZERO, Duration.ZERO, false, true, false);
    nodeManager.isUnknown();
    NodeUpgrade first = upgrade(InterruptionsTest::nothing);
    assertThatThrownBy(() -> first.apply(tree.release(1), atOnce))
        .hasMessageContaining("the ResourceManager does not answer")
        .hasMessageEndingWith("the node runs stock Hadoop again");
    assertIsAsBefore("turned back");

    start();
    assertThat(apply(tree.release(1), InterruptionsTest::nothing)).isTrue();
    nodeManager.isUnknown();
    upgrade(InterruptionsTest::nothing).rollback(atOnce);
    assertIsAsBefore("rolled back");
  }

  private void assertRefused(String because) throws Exception {
    SortedMap<String, String> now = tree.contents();
    NodeUpgrade upgrade = upgrade(InterruptionsTest::nothing);
    assertThatThrownBy(() -> upgrade.apply(tree.release(2), OPTIONS))
        .isInstanceOf(StepFailedException.class)
        .hasMessageContaining(because);
    assertThatThrownBy(() -> upgrade.rollback(OPTIONS)).hasMessageContaining(because);
    assertThatThrownBy(() -> upgrade.planOfRollback(OPTIONS)).hasMessageContaining(because);
    assertThat(tree.contents()).isEqualTo(now);
  }

  @Test
  void whatWasUnpackedByHandStays() throws Exception {
    for (boolean isApplied : List.of(false, true)) {
      start();
      if (isApplied) {
        assertThat(apply(tree.release(1), InterruptionsTest::nothing)).isTrue();
      }
      Layout layout = Layout.of(tree.hadoop);
      Files.createDirectories(layout.addedByHand());
      Files.createDirectories(layout.profiles());
      Files.writeString(layout.profile(), "# the add-on's\n");
      assertRefused("an add-on was unpacked");
    }
  }

  @Test
  void aProfileOfAnothersIsNeitherWrittenNorRemoved() throws Exception {
    Layout layout = Layout.of(tree.hadoop);
    Files.createDirectories(layout.profiles());
    Files.writeString(layout.profile(), "# the add-on's\n");
    before = tree.contents();
    assertThatThrownBy(() -> upgrade(InterruptionsTest::nothing).apply(tree.release(1), OPTIONS))
        .hasMessageContaining("is not of this command");
    assertThat(rollback(InterruptionsTest::nothing)).isTrue();
    assertIsAsBefore("never applied");

    Files.delete(layout.profile());
    assertThat(apply(tree.release(1), InterruptionsTest::nothing)).isTrue();
    Files.delete(layout.profile());
    Files.writeString(layout.profile(), "# the add-on's\n");
    assertThat(rollback(InterruptionsTest::nothing)).isTrue();
    assertIsAsBefore("put over it");
  }

  @Test
  void anInstallationOfAnotherHostIsThatHostsAlone() throws Exception {
    assertThat(apply(tree.release(1), InterruptionsTest::nothing)).isTrue();
    Files.writeString(Layout.of(tree.hadoop).host(), "another-host\n");
    assertRefused("is shared with another-host");
  }

  @Test
  void aLinkInPlaceOfOurFolderIsNotFollowed() throws Exception {
    Path elsewhere = Files.createDirectories(folder.resolve("elsewhere/versions/mine"));
    Files.createSymbolicLink(Layout.of(tree.hadoop).own(), elsewhere.getParent().getParent());
    assertRefused("is a link");
    assertThat(elsewhere).isDirectory();
    assertThat(folder.resolve("elsewhere")).isDirectoryNotContaining("glob:**/lock");
  }

  @Test
  void strangersFilesStay() throws Exception {
    assertThat(apply(tree.release(1), InterruptionsTest::nothing)).isTrue();
    Path theirs = Files.writeString(Layout.of(tree.hadoop).own().resolve("notes"), "");
    assertThat(rollback(InterruptionsTest::nothing)).isTrue();
    assertThat(theirs).exists();
  }

  @Test
  void whatIsThrownByTheWayIsTurnedBackToo() throws Exception {
    EndAt none = new EndAt(MOST, true);
    assertThat(apply(tree.release(1), none)).isTrue();
    int end = none.seen.indexOf("restart") + 2;
    start();
    NodeUpgrade upgrade =
        upgrade(
            new Disk.Moment() {
              private int seen;

              @Override
              public void before(String what) {
                if (++seen == end) {
                  throw new UncheckedIOException(new IOException("a folder cannot be read"));
                }
              }
            });
    assertThatThrownBy(() -> upgrade.apply(tree.release(1), OPTIONS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a folder cannot be read")
        .hasMessageEndingWith("the node runs stock Hadoop again");
    assertIsAsBefore("turned back");
  }

  @Test
  void aNodeManagerThatIsDeafKeepsItsEnginesUnlessForced() throws Exception {
    Release release = tree.release(1);
    assertThat(apply(release, InterruptionsTest::nothing)).isTrue();
    nodeManager.job(1);
    nodeManager.isDeaf();
    assertThat(rollback(InterruptionsTest::nothing)).isFalse();
    assertHas(release, "refused");
    RunOptions forced = new RunOptions(Duration.ZERO, Duration.ofSeconds(1), true, false, false);
    upgrade(InterruptionsTest::nothing).rollback(forced);
    assertThat(nodeManager.lost).isEqualTo(1);
    assertThat(tree.contents()).isEqualTo(before);
  }

  @Test
  void aNodeManagerThatIsDeafAndHasNoEngineKeepsNobodyWaiting() throws Exception {
    assertThat(apply(tree.release(1), InterruptionsTest::nothing)).isTrue();
    nodeManager.isDeaf();
    assertThat(rollback(InterruptionsTest::nothing)).isTrue();
    assertIsAsBefore("deaf");
  }

  @Test
  void aNodeManagerThatIsDownStaysDown() throws Exception {
    nodeManager.crash();
    assertThat(apply(tree.release(1), InterruptionsTest::nothing)).isTrue();
    assertThat(nodeManager.runs()).isFalse();
    assertThat(rollback(InterruptionsTest::nothing)).isTrue();
    assertThat(tree.contents()).isEqualTo(before);
  }
}
