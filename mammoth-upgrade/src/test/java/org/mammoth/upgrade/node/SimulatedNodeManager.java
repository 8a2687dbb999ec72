// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A NodeManager that starts with what the link leads to, as the shell profile has it, and an engine
 * that ends some looks after it is told to. Outlives the runs that command it, as the real one.
 */
final class SimulatedNodeManager implements NodeManager {

  private static final long FIRST_PID = 100;

  private final Layout layout;
  private Disk.Moment moment = what -> {};
  private Optional<String> release = Optional.empty();
  private long pid = FIRST_PID;
  private boolean runs = true;
  private boolean on = true;
  private boolean obeys = true;
  private boolean starts = true;
  private boolean becomesWell = true;
  private boolean probes = true;
  private boolean isKnown = true;
  private int looksToEnd;
  private final List<Engine> engines = new ArrayList<>();

  /** Tasks that were ended with their engine, and an engine that a stranger was left with. */
  int lost;

  SimulatedNodeManager(Layout layout) {
    this.layout = layout;
  }

  /** From now on runs end there. */
  void at(Disk.Moment now) {
    moment = now;
  }

  /** A job comes by: with Mammoth an engine takes its tasks. */
  void job(int looks) {
    if (runs && release.isPresent() && on) {
      engines.add(new Engine(++pid, "engine-ada-" + pid, 2_000));
      looksToEnd = looks;
    }
  }

  void isDeaf() {
    obeys = false;
  }

  void failsWithMammoth() {
    starts = false;
  }

  /** With Mammoth it starts, and is as good as dead. */
  void hangsWithMammoth() {
    becomesWell = false;
  }

  /** Nothing is wrong with it, but jobs do not get through. */
  void isBusy() {
    probes = false;
  }

  /** The ResourceManager's page does not answer this host, whatever runs. */
  void isUnknown() {
    isKnown = false;
  }

  void crash() {
    runs = false;
  }

  boolean runs() {
    return runs;
  }

  @Override
  public void settle() throws IOException {
    moment.before("settle");
  }

  @Override
  public Optional<Running> running() {
    return runs ? Optional.of(new Running(pid, release)) : Optional.empty();
  }

  @Override
  public Optional<Path> enginesJava() {
    return Optional.empty();
  }

  @Override
  public List<Engine> engines() {
    return List.copyOf(engines);
  }

  @Override
  public void switchOff() throws IOException {
    moment.before("switch off");
    if (!obeys || hangs()) {
      throw new IOException("no answer");
    }
    on = false;
  }

  @Override
  public void switchOn() throws IOException {
    moment.before("switch on");
    on = true;
  }

  @Override
  public List<Engine> end(List<Engine> which) throws IOException {
    moment.before("end engines");
    lost += which.size();
    engines.removeAll(which);
    return List.of();
  }

  private boolean hangs() {
    return release.isPresent() && !becomesWell;
  }

  @Override
  public String howStarted() {
    return "{}";
  }

  @Override
  public void restart() throws IOException {
    moment.before("restart");
    Optional<String> next = layout.currentId();
    if (!next.equals(release) && !engines.isEmpty()) {
      throw new AssertionError("engines of " + release + " are left to " + next);
    }
    next.ifPresent(
        id -> {
          if (!Files.exists(layout.version(id).resolve("conf/yarn-site.xml"))) {
            throw new AssertionError("the link leads to a release that is not complete: " + id);
          }
        });
    release = next;
    runs = release.isEmpty() || starts;
    on = true;
    pid++;
    if (!runs) {
      throw new StepFailedException("it does not start");
    }
  }

  @Override
  public Optional<String> complaint(boolean withEngines) {
    if (!runs) {
      return Optional.of("it does not run");
    }
    if (hangs()) {
      return Optional.of("it does not answer");
    }
    if (!isKnown) {
      return Optional.of("the ResourceManager does not answer");
    }
    return withEngines == (release.isPresent() && on)
        ? Optional.empty()
        : Optional.of("engines are " + (withEngines ? "off" : "on"));
  }

  @Override
  public boolean isStock() {
    return runs && release.isEmpty();
  }

  @Override
  public void removeLeftovers(Disk disk) {
    if (!engines.isEmpty()) {
      throw new AssertionError("engines run");
    }
  }

  @Override
  public Optional<String> probe() {
    return probes ? Optional.empty() : Optional.of("it waits for its queue");
  }

  @Override
  public void pause() {
    if (!on && --looksToEnd <= 0) {
      engines.clear();
    }
  }
}
