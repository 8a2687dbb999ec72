// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.events;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The map events of the jobs that have tasks in this engine, each as long as it has one. A job
 * whose ApplicationMaster was started anew begins anew. Any thread.
 */
public final class MapEventsTable {

  private static final class Entry {
    private final MapEvents events;
    private int users;

    Entry(MapEvents events) {
      this.events = events;
    }
  }

  private final LongSupplier nanoTime;
  private final Map<String, Entry> entries = new HashMap<>();

  public MapEventsTable(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * The events of a job, for one task more.
   *
   * @param master which ApplicationMaster tells them, as one attempt of an application
   * @param maps of the job
   */
  public synchronized MapEvents acquire(String master, int maps) {
    Entry entry = entries.computeIfAbsent(master, name -> new Entry(new MapEvents(maps, nanoTime)));
    entry.users++;
    return entry.events;
  }

  /** One of those tasks has ended. */
  public synchronized void release(String master) {
    Entry entry = entries.get(master);
    if (entry != null && --entry.users == 0) {
      entries.remove(master);
    }
  }
}
