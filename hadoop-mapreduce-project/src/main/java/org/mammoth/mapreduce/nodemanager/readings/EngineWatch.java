// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.readings;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.mammoth.api.status.EngineDecisions;
import org.mammoth.api.status.EngineSnapshot;
import org.mammoth.api.status.StatusJson;

/** What is known of one engine. Thread-safe. */
public final class EngineWatch {

  /** Decisions kept of each engine. */
  static final int DECISIONS = 1024;

  public static final long FRESH_MS = 500;

  /** Readers of /jmx are to wait less than a second, whatever engines do. */
  public static final long DEADLINE_MS = 400;

  /** Snapshot and decisions of about the same moment. */
  record Reading(EngineSnapshot snapshot, long next, List<EngineDecisions.Decision> decisions) {}

  private final ReadableEngine engine;
  private final DecisionTail tail = new DecisionTail(DECISIONS);
  private final StatusJson json;
  private final CachedFetch<Reading> fetch;

  EngineWatch(ReadableEngine engine, StatusJson json, Executor executor, LongSupplier nanos) {
    this.engine = engine;
    this.json = json;
    this.fetch = new CachedFetch<>(this::ask, executor, nanos, FRESH_MS, DEADLINE_MS);
  }

  ReadableEngine engine() {
    return engine;
  }

  /** See {@link CachedFetch#begin}. */
  void begin() {
    fetch.begin();
  }

  /** See {@link CachedFetch#read}. */
  CachedFetch.Known<Reading> read() {
    return fetch.read();
  }

  // One fetch at a time, so the tail has one user at a time; the fetch's lock hands it on.
  private Reading ask() throws IOException {
    EngineSnapshot snapshot = json.read(engine.snapshotJson(), EngineSnapshot.class);
    readOn(tail.from());
    if (tail.isBehind()) {
      readOn(-1);
    }
    return new Reading(snapshot, tail.next(), tail.decisions());
  }

  private void readOn(long from) throws IOException {
    tail.add(json.read(engine.decisionsJson(from, DECISIONS), EngineDecisions.class));
  }
}
