// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.util.concurrent.CompletableFuture;
import org.mammoth.mapreduce.protocol.ContainerExit;

/**
 * One container in one engine, as the NodeManager sees it: from just before it is handed over until
 * its end. Thread-safe.
 */
final class Placement {

  private final CompletableFuture<ContainerExit> end = new CompletableFuture<>();
  private volatile boolean seen;

  /** Its end, in the future; never a failure. */
  CompletableFuture<ContainerExit> end() {
    return end;
  }

  /** The engine itself has said that it has it. */
  void see() {
    seen = true;
  }

  /** Whether it is known that the engine has, or had it. */
  boolean isCertain() {
    return seen || end.isDone();
  }
}
