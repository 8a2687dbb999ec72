// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.mammoth.mapreduce.lifecycle.SimWorld;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EndKind;
import org.mammoth.mapreduce.protocol.EngineReport;

/**
 * The engine's own table and state machines of containers, with programs that only take their time.
 */
public final class SimulatedContainers {

  private final class Body implements ContainerTable.Body {
    private final ContainerLife life;
    private final ContainerLaunchSpec spec;

    Body(ContainerLaunchSpec spec) {
      this.spec = spec;
      this.life = new ContainerLife(spec.containerId());
    }

    @Override
    public ContainerLife life() {
      return life;
    }

    @Override
    public void start() {
      noThreads();
      world.after(1, this::run);
    }

    private void run() {
      if (gone) {
        return;
      }
      if (!life.start()) {
        report();
        return;
      }
      try {
        noThreads();
      } catch (OutOfMemoryError e) {
        life.end(EndKind.ABORTED, ContainerExitStatus.ABORTED, "no thread");
        table.drain("no thread for a task");
        report();
        return;
      }
      if (life.started()) {
        runs.accept(spec.containerId());
        world.after(durations.applyAsLong(spec), () -> end(0));
      } else {
        report();
      }
    }

    private void end(int code) {
      life.end(EndKind.PROGRAM, code, "");
      report();
    }

    private void report() {
      if (gone) {
        return;
      }
      ContainerExit exit = life.report(0);
      if (exit != null) {
        table.ended(exit);
        life.vanish();
      }
    }

    private boolean signal(int signal) {
      boolean killed = life.kill(signal);
      // Its threads follow a little later.
      world.after(20, this::report);
      return killed;
    }

    @Override
    public void discard() {
      discarded++;
    }
  }

  private final SimWorld world;
  private final Consumer<String> runs;
  private final ToLongFunction<ContainerLaunchSpec> durations;
  private final BooleanSupplier threadsGone;
  private final ContainerTable<Body> table;
  private final Map<String, Integer> answers = new HashMap<>();
  private int discarded;
  private boolean gone;

  /**
   * @param runs told of each program that begins to run
   * @param durations of the programs, ms
   */
  public SimulatedContainers(
      SimWorld world,
      Consumer<String> runs,
      ToLongFunction<ContainerLaunchSpec> durations,
      BooleanSupplier threadsGone) {
    this.world = world;
    this.runs = runs;
    this.durations = durations;
    this.threadsGone = threadsGone;
    this.table = new ContainerTable<>(world::nanos);
  }

  private void noThreads() {
    if (threadsGone.getAsBoolean()) {
      throw new OutOfMemoryError("unable to create native thread (as told)");
    }
  }

  public String launch(ContainerLaunchSpec spec) {
    answers.merge(spec.containerId(), 1, Integer::sum);
    return table.launch(spec.containerId(), () -> new Body(spec));
  }

  public boolean withdraw(String containerId) {
    return table.withdraw(containerId);
  }

  public boolean signal(String containerId, int signal) {
    Body body = table.find(containerId);
    return body != null && body.signal(signal);
  }

  /** What there is to report now; never waits. */
  public EngineReport poll(String[] acknowledged) throws InterruptedException {
    ContainerTable.Report report = table.poll(acknowledged, 0);
    return new EngineReport(report.exits(), report.running(), report.drainReason(), "{}");
  }

  public void drain(String reason) {
    table.drain(reason);
  }

  /** Whether an engine with this would end. */
  public boolean isOver() {
    return table.isOver();
  }

  /** Its process is killed: nothing of it goes on. */
  public void die() {
    gone = true;
  }

  public int runningCount() {
    return table.runningCount();
  }
}
