// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.readings;

import java.nio.file.Files;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.io.DiskDetector;
import org.mammoth.engine.io.SeekProbe;
import org.mammoth.mapreduce.disks.LocalDirs;
import org.mammoth.mapreduce.disks.SpinningDirs;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this NodeManager finds out about its disks beside its start, for the engines that it starts
 * later. Any thread.
 */
public final class DiskKinds {

  private static final Logger LOG = LoggerFactory.getLogger(DiskKinds.class);

  /** An engine is not kept waiting longer; the next one will know. */
  private static final long LONGEST_WAIT_S = 10;

  private static final long PAUSE_MS = 100;

  private final Configuration conf;
  private final CompletableFuture<String> spinning = new CompletableFuture<>();

  public DiskKinds(Configuration conf) {
    this.conf = conf;
  }

  /** Finds out, once the NodeManager has made its directories; takes some seconds at most. */
  public void find() {
    try {
      for (long waited = 0; !areThere() && waited < LONGEST_WAIT_S * 1_000; waited += PAUSE_MS) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      }
      spinning.complete(
          SpinningDirs.find(conf, new SeekProbe(System::nanoTime), DiskDetector.byFileStore()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("No disk is taken for a spinning one", e);
    } finally {
      spinning.complete(SpinningDirs.NONE);
    }
  }

  private boolean areThere() {
    return LocalDirs.of(conf).all().stream().allMatch(Files::isDirectory);
  }

  /** The directories on spinning disks, as {@code mammoth.io.spinning-dirs} names them. */
  public String spinningDirs() {
    try {
      return spinning.get(LONGEST_WAIT_S, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      LOG.warn("The disks have not been timed yet; this engine takes none for a spinning one");
    } catch (ExecutionException e) {
      LOG.warn("No disk is taken for a spinning one", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return SpinningDirs.NONE;
  }
}
