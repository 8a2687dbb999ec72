// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.mammoth.mapreduce.lifecycle.SimWorld;

/** What goes wrong in one simulated schedule, and when; follows from its seed. */
class Faults {

  private final SimWorld world;
  private final Random random;
  private final Map<SimulatedSite, Long> deafUntil = new HashMap<>();
  private final List<SimulatedSite> sites;
  private final Map<String, Integer> counts;
  private long slowUntil;
  private long descriptorsGoneUntil;
  private long diskGoneUntil;
  private final double doubling;

  /**
   * @param sites all engines there have been, live
   * @param counts how often each fault has come, over all schedules
   */
  Faults(SimWorld world, long seed, List<SimulatedSite> sites, Map<String, Integer> counts) {
    this.world = world;
    this.random = new Random(seed);
    this.sites = sites;
    this.counts = counts;
    this.doubling = random.nextInt(3) == 0 ? 0.1 : 0;
  }

  /** Draws faults for a time. */
  void plan(long untilMs) {
    int faults = 2 + random.nextInt(8);
    for (int i = 0; i < faults; i++) {
      world.after((long) (random.nextDouble() * untilMs), this::strike);
    }
  }

  private void strike() {
    long lasts = world.ms() + 1_000 + random.nextInt(90_000);
    switch (random.nextInt(7)) {
      case 0 -> {
        count("slow calls");
        slowUntil = lasts;
      }
      case 1 -> {
        count("clock jumps");
        world.jump(600_000);
      }
      case 2 ->
          living()
              .ifPresent(
                  site -> {
                    count("kills");
                    site.destroy();
                  });
      case 3 ->
          living()
              .ifPresent(
                  site -> {
                    count("deaf engines");
                    deafUntil.put(site, lasts + 30_000);
                  });
      case 4 -> {
        count("no threads");
        world.threadsGone(true);
        world.after(lasts - world.ms(), () -> world.threadsGone(false));
      }
      case 5 -> {
        count("no descriptors");
        descriptorsGoneUntil = lasts;
      }
      default -> {
        count("no disk");
        diskGoneUntil = lasts;
      }
    }
  }

  private void count(String fault) {
    counts.merge(fault, 1, Integer::sum);
  }

  private java.util.Optional<SimulatedSite> living() {
    List<SimulatedSite> alive = new ArrayList<>(sites);
    alive.removeIf(site -> !site.isAlive());
    return alive.isEmpty()
        ? java.util.Optional.empty()
        : java.util.Optional.of(alive.get(random.nextInt(alive.size())));
  }

  void mayMakeFiles() throws IOException {
    if (world.ms() < diskGoneUntil) {
      throw new IOException("Input/output error (as told)");
    }
  }

  void mayHaveDescriptors() throws IOException {
    if (world.ms() < descriptorsGoneUntil && random.nextBoolean()) {
      throw new IOException("Too many open files (as told)");
    }
  }

  long startMs() {
    return random.nextInt(20) == 0 ? 120_000 : 300 + random.nextInt(4_000);
  }

  /** How long one way of a call takes. */
  long wayMs(SimulatedSite site) {
    return world.ms() < slowUntil ? random.nextInt(30_000) : random.nextInt(5);
  }

  /** For how long an engine still hears nothing. */
  long deafMs(SimulatedSite site) {
    return Math.max(0, deafUntil.getOrDefault(site, 0L) - world.ms());
  }

  long pollMs() {
    return 500 + random.nextInt(500);
  }

  /** Whether a request arrives a second time. */
  boolean twice() {
    return random.nextDouble() < doubling;
  }
}
