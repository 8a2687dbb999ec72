// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.lifecycle.Pace;
import org.mammoth.mapreduce.lifecycle.Silence;
import org.mammoth.mapreduce.nodemanager.sites.EngineSite;
import org.mammoth.mapreduce.nodemanager.sites.ProcessSite;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.EngineProtocol;
import org.mammoth.mapreduce.protocol.EngineReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that looks after one engine: starts it, learns of containers' ends by a long poll,
 * tells it what it is to do, and notices when it no longer answers or is gone. Nobody else waits
 * for the engine on others' behalf. Holds no lock; whatever happens, the engine's end is told.
 */
final class EngineKeeper implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(EngineKeeper.class);

  private static final long POLL_MS = 1_000;
  private static final long ADDRESS_CHECK_MS = 10;

  /** A look takes as long as a call and a poll may. */
  private static final long LONGEST_LOOK_MS = ProcessSite.CALL_TIMEOUT_MS + 2 * POLL_MS;

  private final EngineHandle engine;
  private final EngineSite site;
  private final Configuration conf;
  private final Pace pace;
  private final boolean isNew;
  private double poolPart = Double.NaN;
  private boolean toldToDrain;

  /**
   * @param isNew whether it has to be started, else it is an earlier NodeManager's
   */
  EngineKeeper(EngineHandle engine, EngineSite site, Configuration conf, Pace pace, boolean isNew) {
    this.engine = engine;
    this.site = site;
    this.conf = conf;
    this.pace = pace;
    this.isNew = isNew;
  }

  @Override
  public void run() {
    IOException why = new IOException("the engine is gone");
    try {
      if (isNew) {
        site.start();
      }
      EngineProtocol listening = connect();
      engine.listens(listening);
      LOG.info("Engine {} of {} is up, pid {}", engine.engineId(), engine.user(), engine.pid());
      try {
        keep(listening);
      } finally {
        site.disconnect(listening);
      }
    } catch (IOException e) {
      LOG.error("Engine {} of user {} is not usable", engine.engineId(), engine.user(), e);
      why = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      why = new IOException("the NodeManager is ending");
    } catch (RuntimeException | Error e) {
      LOG.error("Engine {} can no longer be looked after", engine.engineId(), e);
      why = new IOException(e);
    } finally {
      end(why);
    }
  }

  private void end(IOException why) {
    if (isLeft()) {
      return;
    }
    try {
      site.destroy();
    } finally {
      engine.gone(why);
      site.clear();
    }
  }

  private boolean isLeft() {
    return engine.state() == EngineLife.State.DETACHED;
  }

  private EngineProtocol connect() throws IOException, InterruptedException {
    Silence waited = new Silence(pace::nanos, POLL_MS);
    Optional<EngineProtocol> found = site.connect();
    while (found.isEmpty()) {
      if (!site.isAlive()) {
        if (isNew) {
          site.endedWhileStarting();
        }
        throw new IOException(
            "its process ended while starting; see mammoth-"
                + engine.engineId()
                + ".out in the log dir");
      }
      if (waited.lookMs() > EngineKeys.START_TIMEOUT_MS.get(conf)) {
        throw new IOException("it does not listen; see mammoth-" + engine.engineId() + ".out");
      }
      if (isLeft()) {
        throw new IOException("it is left to another NodeManager");
      }
      site.awaitExit(ADDRESS_CHECK_MS);
      found = site.connect();
    }
    return found.get();
  }

  private void keep(EngineProtocol listening) throws InterruptedException {
    List<String> acknowledged = new ArrayList<>();
    Silence silence = new Silence(pace::nanos, LONGEST_LOOK_MS);
    Silence taken = new Silence(pace::nanos, LONGEST_LOOK_MS);
    while (site.isAlive() && !isLeft()) {
      try {
        tell(listening);
        EngineReport report = listening.poll(acknowledged.toArray(new String[0]), POLL_MS);
        if (isLeft()) {
          return;
        }
        silence.heard();
        acknowledged.clear();
        engine.answered(report);
        // A recovering NodeManager will ask for those it does not know, but not for ever.
        boolean askedFor = isNew || taken.lookMs() > EngineKeys.ORPHAN_TIMEOUT_MS.get(conf);
        for (ContainerExit exit : report.exits()) {
          if (engine.complete(exit) || askedFor) {
            acknowledged.add(exit.containerId());
          }
        }
      } catch (IOException | RuntimeException | Error e) {
        engine.silent();
        long silentMs = silence.lookMs();
        LOG.debug("Engine {} has not answered for {} ms", engine.engineId(), silentMs, e);
        if (silentMs > EngineKeys.HEALTH_TIMEOUT_MS.get(conf)) {
          LOG.error(
              "Engine {} has not answered for {} ms ({}), killing it",
              engine.engineId(),
              silentMs,
              EngineKeys.HEALTH_TIMEOUT_MS.name(),
              e);
          site.destroy();
        }
        site.awaitExit(POLL_MS / 10);
      }
    }
  }

  /** Passes on what others want of it. */
  private void tell(EngineProtocol listening) throws IOException {
    site.holds(engine.usedMb());
    double part = engine.poolPart();
    // Of an engine that another NodeManager left, what it was told last is not known.
    if (!Double.isNaN(part) && part != poolPart) {
      listening.limitPool(part);
      poolPart = part;
    }
    String reason = engine.drainReason();
    if (!reason.isEmpty() && !toldToDrain) {
      listening.drain(reason);
      toldToDrain = true;
    }
  }
}
