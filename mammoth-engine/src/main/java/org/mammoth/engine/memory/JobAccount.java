// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.memory;

/** What a job holds of the cache pool, in units. Guarded by the scheduler's lock. */
final class JobAccount {

  final String user;
  final String job;
  double weight = 1;

  /** Largest sort buffer of a map of this job that has ended; 0 until one has. */
  long sortPeak;

  int maps;
  int reduces;
  private final long[] held = new long[BufferKind.values().length];
  private final long[] refusedAt = new long[BufferKind.values().length];
  private final boolean[] refused = new boolean[BufferKind.values().length];
  private long all;

  JobAccount(String user, String job) {
    this.user = user;
    this.job = job;
  }

  void charge(BufferKind kind, long units) {
    held[kind.ordinal()] += units;
    all += units;
  }

  /** It was refused a unit at {@code now}. */
  void refused(BufferKind kind, long now) {
    refused[kind.ordinal()] = true;
    refusedAt[kind.ordinal()] = now;
  }

  /** Whether it was refused a unit of a kind that goes before {@code kind}, or of that kind. */
  boolean refusedSince(BufferKind kind, long since) {
    for (int k = 0; k <= kind.ordinal(); k++) {
      if (refused[k] && refusedAt[k] - since >= 0) {
        return true;
      }
    }
    return false;
  }

  long held(BufferKind kind) {
    return held[kind.ordinal()];
  }

  long held() {
    return all;
  }

  /** Whether it takes part in sharing. */
  boolean active() {
    return maps > 0 || reduces > 0 || all > 0;
  }

  /** Units held per unit of weight: the job with the least is served first. */
  double load() {
    return all / weight;
  }
}
