// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mammoth.upgrade.tree.HadoopTree;
import org.mammoth.upgrade.tree.Release;

/**
 * Adds a release to this node, or takes all of ours out of it. Each run begins by looking at what
 * is there, so it completes one that ended anywhere. One thread.
 */
public final class NodeUpgrade {

  private final HadoopTree tree;
  private final Layout layout;
  private final Disk disk;
  private final Journal journal;
  private final NodeManager nodeManager;
  private final Progress progress;

  /** Whether this run has touched what daemons start with, or the NodeManager. */
  private boolean changed;

  /**
   * @param disk makes all changes to files
   * @param clock dates the journal
   */
  public NodeUpgrade(
      HadoopTree tree, Disk disk, NodeManager nodeManager, Clock clock, Progress progress) {
    this.tree = tree;
    this.layout = Layout.of(tree);
    this.disk = disk;
    this.journal = new Journal(layout.journal(), clock);
    this.nodeManager = nodeManager;
    this.progress = progress;
  }

  /** What {@link #apply} would change now, a line each. */
  public List<String> planOfApply(Release release, RunOptions options) throws IOException {
    guardApply();
    return plan(applySteps(release, options));
  }

  /** What {@link #rollback} would change now, a line each. */
  public List<String> planOfRollback(RunOptions options) throws IOException {
    guard();
    return plan(rollbackSteps(options));
  }

  private static List<String> plan(List<Step> steps) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Step step : steps) {
      for (String change : step.changes().list()) {
        lines.add(step.name() + ": " + change);
      }
    }
    return lines;
  }

  /**
   * Has the node's NodeManager run with the release.
   *
   * @throws StepFailedException if it does not; what was before is back, if that was wanted and
   *     possible, and the message says so
   */
  public void apply(Release release, RunOptions options) throws IOException, InterruptedException {
    guardApply();
    disk.makeFolder(layout.own());
    try (Held lock = lock()) {
      if (!Files.exists(layout.host())) {
        disk.write(layout.host(), thisHost() + "\n");
      }
      Optional<String> before = before(release);
      changed = journal.unproven().isChanged();
      try {
        run("apply " + release.id(), applySteps(release, options));
      } catch (IOException | RuntimeException thrown) {
        IOException e = asIo(thrown);
        // A node on which nothing was to be done keeps what it has, whatever ails it.
        if (options.turnBack() && changed && layout.currentId().equals(Optional.of(release.id()))) {
          throw turnBack(before, options, e);
        }
        throw e;
      }
    }
  }

  /** What a node goes back to if the release does not become well; empty for stock. */
  private Optional<String> before(Release release) throws IOException {
    Optional<String> current = layout.currentId();
    return journal
        .unproven()
        .before()
        .or(() -> current)
        .filter(id -> !id.equals(release.id()) && Files.isDirectory(layout.version(id)));
  }

  /** Has the node run without ours, and leaves nothing of it. */
  public void rollback(RunOptions options) throws IOException, InterruptedException {
    guard();
    if (!Files.isDirectory(layout.own()) && !layout.hasOwnProfile()) {
      progress.say("nothing of Mammoth is here");
      return;
    }
    disk.makeFolder(layout.own());
    try (Held lock = lock()) {
      run(Journal.ROLLBACK, rollbackSteps(options));
      forget();
    }
    removeOwn();
  }

  private void removeOwn() throws IOException {
    if (isEmpty(layout.own())) {
      disk.remove(layout.own());
    } else {
      progress.say(layout.own() + " stays: there are files in it that are not of this command");
    }
  }

  /**
   * What this command has not made it leaves as it is.
   *
   * @throws StepFailedException if something else than it is at home here; nothing was changed
   */
  private void guard() throws IOException {
    if (layout.isAddedByHand()) {
      throw new StepFailedException(
          layout.addedByHand()
              + " is there: an add-on was unpacked over the installation, which this command leaves"
              + " as it is. How it is taken out by hand: docs/install.md, 'The SSD cache'. Nothing"
              + " was changed");
    }
    for (Path folder : List.of(layout.own(), layout.versions())) {
      if (Files.isSymbolicLink(folder)) {
        throw new StepFailedException(
            folder + " is a link, which this command has not made: remove it. Nothing was changed");
      }
    }
    if (!Files.exists(layout.host())) {
      return;
    }
    String host = new String(Files.readAllBytes(layout.host()), StandardCharsets.UTF_8).trim();
    if (!host.equals(thisHost())) {
      throw new StepFailedException(
          tree.home()
              + " is shared with "
              + host
              + ", where Mammoth was added to it: what is changed here is changed there. Run this"
              + " there; or, if this host was called so then, remove "
              + layout.host()
              + ". Nothing was changed");
    }
  }

  private void guardApply() throws IOException {
    guard();
    if (Files.exists(layout.profile(), LinkOption.NOFOLLOW_LINKS) && !layout.hasOwnProfile()) {
      throw new StepFailedException(
          layout.profile()
              + " is not of this command, but of an add-on that was unpacked by hand: remove it"
              + " when no daemon needs that any more. Nothing was changed");
    }
  }

  private static String thisHost() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
  }

  private static IOException asIo(Exception thrown) {
    return thrown instanceof IOException
        ? (IOException) thrown
        : new IOException(String.valueOf(thrown), thrown);
  }

  /** The last of it: what the run itself needed. */
  private void forget() throws IOException {
    for (Path made : journal.made()) {
      if (Files.isDirectory(made) && isEmpty(made)) {
        disk.remove(made);
      }
    }
    disk.remove(layout.host());
    disk.removeAll(layout.own().resolve(".host.new"));
    disk.remove(layout.restartLog());
    disk.remove(layout.restartLock());
    disk.remove(layout.journal());
    disk.remove(layout.lock());
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (var entries = Files.list(folder)) {
      return entries.findAny().isEmpty();
    }
  }

  private void run(String name, List<Step> steps) throws IOException, InterruptedException {
    nodeManager.settle();
    note(Journal.Event.RUN, name, "");
    for (Step step : steps) {
      List<String> changes = step.changes().list();
      if (changes.isEmpty()) {
        continue;
      }
      changes.forEach(change -> progress.say(step.name() + ": " + change));
      note(Journal.Event.BEGIN, step.name(), "");
      try {
        step.action().take();
      } catch (IOException | RuntimeException e) {
        note(Journal.Event.FAILED, step.name(), String.valueOf(e.getMessage()));
        throw e;
      }
      note(Journal.Event.DONE, step.name(), "");
    }
    note(Journal.Event.FINISHED, name, "");
  }

  /** A disk that is full must not keep anybody from going back, which only removes. */
  private void note(Journal.Event event, String name, String detail) throws IOException {
    try {
      disk.moment("journal " + event + " " + name);
      journal.add(event, name, detail);
    } catch (IOException e) {
      progress.say("the journal " + layout.journal() + " cannot be written: " + e.getMessage());
    }
  }

  private StepFailedException turnBack(
      Optional<String> before, RunOptions options, IOException cause) throws InterruptedException {
    progress.say("that failed: " + cause.getMessage());
    progress.say("going back to " + before.map(id -> "release " + id).orElse("stock"));
    try {
      RunOptions unasked =
          new RunOptions(options.drain(), options.health(), options.force(), false, false);
      if (before.isPresent()) {
        run("back to " + before.get(), backSteps(before.get(), unasked));
      } else {
        run(Journal.ROLLBACK, rollbackSteps(unasked));
        forget();
        removeOwn();
      }
    } catch (IOException | RuntimeException e) {
      return new StepFailedException(
          cause.getMessage()
              + "; going back failed as well: "
              + e.getMessage()
              + "; run mammoth-upgrade rollback on this node");
    }
    return new StepFailedException(
        cause.getMessage()
            + "; the node runs "
            + before.map(id -> "release " + id).orElse("stock Hadoop")
            + " again");
  }

  private List<Step> applySteps(Release release, RunOptions options) {
    AddedFiles files = new AddedFiles(tree, layout, disk, nodeManager::enginesJava);
    Daemons daemons = daemons();
    return List.of(
        new Step("copy", () -> files.toCopy(release), () -> files.copy(release)),
        new Step(
            "profile",
            () -> files.toProfile(release),
            () -> files.writeProfile(release, made -> note(Journal.Event.MADE, "profile", made))),
        new Step(
            "drain",
            () -> daemons.toDrainFor(Optional.of(release.id())),
            () -> daemons.drain(options)),
        new Step("switch", () -> files.toSwitch(release.id()), () -> switchTo(release.id(), files)),
        new Step(
            "restart",
            () -> daemons.toRestart(Optional.of(release.id())),
            () -> {
              changed = true;
              daemons.restart(this::note);
            }),
        new Step("engines on", daemons::toSwitchOn, nodeManager::switchOn),
        new Step("health", daemons::toWait, () -> daemons.waitUntilWell(options)),
        new Step("probe", () -> daemons.toProbe(options), daemons::probe),
        new Step(
            Journal.TIDY,
            () -> files.toTidy(release.id()),
            () -> files.removeVersionsBut(release.id())));
  }

  private void switchTo(String id, AddedFiles files) throws IOException {
    changed = true;
    note(Journal.Event.BEFORE, "switch", layout.currentId().orElse(Journal.STOCK));
    files.switchTo(id);
  }

  private List<Step> backSteps(String id, RunOptions options) {
    AddedFiles files = new AddedFiles(tree, layout, disk, nodeManager::enginesJava);
    Daemons daemons = daemons();
    return List.of(
        new Step("drain", () -> daemons.toDrainFor(Optional.of(id)), () -> daemons.drain(options)),
        new Step("switch", () -> files.toSwitch(id), () -> files.switchTo(id)),
        new Step(
            "restart", () -> daemons.toRestart(Optional.of(id)), () -> daemons.restart(this::note)),
        new Step("health", daemons::toWait, () -> daemons.waitUntilWell(options)));
  }

  private List<Step> rollbackSteps(RunOptions options) {
    AddedFiles files = new AddedFiles(tree, layout, disk, nodeManager::enginesJava);
    Daemons daemons = daemons();
    return List.of(
        new Step("drain", () -> daemons.toDrainFor(Optional.empty()), () -> daemons.drain(options)),
        new Step("switch", files::toSwitchOff, files::switchOff),
        new Step(
            "restart",
            () -> daemons.toRestart(Optional.empty()),
            () -> daemons.restart(this::note)),
        new Step("leftovers", daemons::toEndLeftovers, daemons::end),
        new Step("health", daemons::toWait, () -> daemons.waitUntilStock(options)),
        new Step("probe", () -> daemons.toProbe(options), daemons::probe),
        new Step(
            "clean",
            files::toClean,
            () -> {
              nodeManager.removeLeftovers(disk);
              files.clean();
            }));
  }

  private Daemons daemons() {
    return new Daemons(nodeManager, journal, new Engines(nodeManager, progress), progress);
  }

  /** One run at a time. */
  private record Held(FileChannel file, FileLock lock) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      lock.close();
      file.close();
    }
  }

  private Held lock() throws IOException {
    FileChannel file;
    try {
      file = Disk.openOwn(layout.lock(), StandardOpenOption.WRITE);
    } catch (AccessDeniedException e) {
      throw new StepFailedException(
          layout.lock() + " is of " + Owners.owner(layout.lock()) + ": run this as that user");
    }
    try {
      FileLock lock = file.tryLock();
      if (lock != null) {
        return new Held(file, lock);
      }
    } catch (OverlappingFileLockException sameProcess) {
      file.close();
      throw new StepFailedException("another run of this process is at work on this node");
    }
    file.close();
    throw new StepFailedException(
        "another mammoth-upgrade is at work on this node (" + layout.lock() + " is locked)");
  }
}
