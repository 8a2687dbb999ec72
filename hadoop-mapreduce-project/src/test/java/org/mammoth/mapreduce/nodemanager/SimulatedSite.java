// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.io.Text;
import org.mammoth.mapreduce.engine.containers.SimulatedContainers;
import org.mammoth.mapreduce.lifecycle.Silence;
import org.mammoth.mapreduce.lifecycle.SimWorld;
import org.mammoth.mapreduce.nodemanager.sites.EngineSite;
import org.mammoth.mapreduce.nodemanager.sites.ProcessSite;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineProtocol;
import org.mammoth.mapreduce.protocol.EngineReport;
import org.mammoth.mapreduce.protocol.UserLaunch;

/** An engine process of a simulation: late, deaf, dead, whatever the schedule's faults make it. */
final class SimulatedSite implements EngineSite, EngineProtocol {

  private static final long CALL_TIMEOUT_MS = ProcessSite.CALL_TIMEOUT_MS;
  private static final long LOOK_MS = 1_000;
  private static final long LONGEST_LOOK_MS = 5_000;
  private static final long ORPHAN_MS = 500_000;

  private final SimWorld world;
  private final Faults faults;
  private final SimulatedContainers containers;
  private final Object handlesLock;
  private final long pid;
  private final CompletableFuture<Void> exit = new CompletableFuture<>();
  private Silence nodeManager;
  private boolean started;
  private long listensAt;
  private boolean destroyed;

  SimulatedSite(
      SimWorld world, Faults faults, SimulatedContainers containers, Object handlesLock, long pid) {
    this.world = world;
    this.faults = faults;
    this.containers = containers;
    this.handlesLock = handlesLock;
    this.pid = pid;
  }

  private void holdsNoLock() {
    if (Thread.holdsLock(handlesLock)) {
      throw new AssertionError("a lock is held while something waits");
    }
  }

  @Override
  public void start() throws IOException {
    holdsNoLock();
    world.sleep(50);
    faults.mayMakeFiles();
    faults.mayHaveDescriptors();
    if (world.threadsGone()) {
      throw new IOException("error=11, Resource temporarily unavailable (as told)");
    }
    started = true;
    nodeManager = new Silence(world::nanos, LONGEST_LOOK_MS);
    listensAt = world.ms() + faults.startMs();
    if (destroyed) {
      exit.complete(null);
    }
    world.after(LOOK_MS, this::look);
  }

  /** The engine's own vigil. */
  private void look() {
    if (!exit.isDone()) {
      if (containers.isOver() || nodeManager.lookMs() > ORPHAN_MS) {
        die();
      } else {
        world.after(LOOK_MS, this::look);
      }
    }
  }

  private void die() {
    containers.die();
    exit.complete(null);
  }

  @Override
  public long pid() {
    return started ? pid : 0;
  }

  @Override
  public boolean isAlive() {
    return started && !exit.isDone();
  }

  @Override
  public void destroy() {
    destroyed = true;
    if (started) {
      die();
    }
  }

  @Override
  public Optional<EngineProtocol> connect() throws IOException {
    holdsNoLock();
    faults.mayHaveDescriptors();
    return isAlive() && world.ms() >= listensAt ? Optional.of(this) : Optional.empty();
  }

  @Override
  public void disconnect(EngineProtocol engine) {
    holdsNoLock();
  }

  @Override
  public void awaitExit(long ms) throws InterruptedException {
    holdsNoLock();
    try {
      world.await(exit, ms);
    } catch (TimeoutException | ExecutionException e) {
      // still alive
    }
  }

  @Override
  public Map.Entry<String, String> output(int bytes) {
    return Map.entry("mammoth-" + pid + ".out", "");
  }

  @Override
  public void clear() {
    holdsNoLock();
  }

  /**
   * One call: its request and its answer take their time, and whoever waits gives up in between;
   * what was asked for is done all the same, sometimes twice.
   */
  private <T> T call(Callable<T> work) throws IOException {
    holdsNoLock();
    faults.mayHaveDescriptors();
    long there = faults.wayMs(this);
    long back = faults.wayMs(this);
    CompletableFuture<T> answer = new CompletableFuture<>();
    world.after(there, () -> arrive(work, back, answer));
    if (faults.twice()) {
      world.after(there + faults.wayMs(this), () -> arrive(work, back, new CompletableFuture<>()));
    }
    exit.whenComplete(
        (nothing, failure) -> answer.completeExceptionally(new IOException("connection reset")));
    try {
      return world.await(answer, CALL_TIMEOUT_MS);
    } catch (TimeoutException e) {
      throw new IOException("no answer within " + CALL_TIMEOUT_MS + " ms");
    } catch (ExecutionException | InterruptedException e) {
      throw new IOException(e);
    }
  }

  private <T> void arrive(Callable<T> work, long back, CompletableFuture<T> answer) {
    if (!isAlive()) {
      return;
    }
    long deaf = faults.deafMs(this);
    if (deaf > 0) {
      world.after(deaf, () -> arrive(work, back, answer));
      return;
    }
    try {
      T done = work.call();
      world.after(back, () -> answer.complete(done));
    } catch (Exception e) {
      world.after(back, () -> answer.completeExceptionally(e));
    }
  }

  @Override
  public String launch(ContainerLaunchSpec spec) throws IOException {
    return call(() -> containers.launch(spec));
  }

  @Override
  public String launchAsUser(ContainerLaunchSpec spec, UserLaunch launch) {
    throw new UnsupportedOperationException("engines run as the NodeManager's user here");
  }

  @Override
  public boolean withdraw(String containerId) throws IOException {
    return call(() -> containers.withdraw(containerId));
  }

  @Override
  public boolean signal(String containerId, int signal) throws IOException {
    return call(() -> containers.signal(containerId, signal));
  }

  @Override
  public EngineReport poll(String[] acknowledged, long waitMs) throws IOException {
    EngineReport report =
        call(
            () -> {
              nodeManager.heard();
              return containers.poll(acknowledged);
            });
    if (report.exits().isEmpty()) {
      world.sleep(Math.min(waitMs, faults.pollMs()));
    }
    return report;
  }

  @Override
  public Text snapshot() {
    return new Text("{}");
  }

  @Override
  public Text decisions(long from, int atMost) {
    return new Text("{}");
  }

  @Override
  public long dropCached(String path) throws IOException {
    call(() -> null);
    return 0;
  }

  @Override
  public Text profile(int seconds) throws IOException {
    call(() -> null);
    return new Text("{\"state\":\"none\"}");
  }

  @Override
  public void limitPool(double part) throws IOException {
    call(() -> null);
  }

  @Override
  public void jobEnded(String job) throws IOException {
    call(() -> null);
  }

  /** The engine itself decides to take no more; the next poll will tell. */
  void drainOfItself(String reason) {
    containers.drain(reason);
  }

  @Override
  public void drain(String reason) throws IOException {
    call(
        () -> {
          containers.drain(reason);
          return null;
        });
  }
}
