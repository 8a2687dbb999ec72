// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import static org.assertj.core.api.Assertions.fail;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Waits for futures. */
public final class Failures {

  private Failures() {}

  /** The result, within ten seconds. */
  public static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(10, TimeUnit.SECONDS);
  }

  /** What the future failed with, within ten seconds. */
  public static <E extends ShuffleException> E of(CompletableFuture<?> future, Class<E> type)
      throws Exception {
    try {
      future.get(10, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      return type.cast(e.getCause());
    }
    return fail("did not fail");
  }
}
