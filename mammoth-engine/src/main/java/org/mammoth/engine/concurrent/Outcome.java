// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.concurrent;

import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the end of a future, and logs what the handler throws: {@link
 * CompletionStage#whenComplete} keeps it in the stage it returns, which nobody looks at, so that
 * whoever waits for the handler waits for ever and no log says why.
 */
public final class Outcome {

  private static final Logger LOG = LoggerFactory.getLogger(Outcome.class);

  private Outcome() {}

  /**
   * Calls the handler once, with the future's value or with its failure; in the thread that
   * completes the future, or at once in the caller's if it is complete.
   *
   * @param what names the handler in the log
   */
  public static <T> void handle(
      CompletionStage<T> future, String what, BiConsumer<? super T, ? super Throwable> handler) {
    handled(future, what, handler);
  }

  /**
   * The same.
   *
   * @return ends as the future does, when the handler has run
   */
  public static <T> CompletionStage<T> handled(
      CompletionStage<T> future, String what, BiConsumer<? super T, ? super Throwable> handler) {
    return future.whenComplete(
        (value, failure) -> {
          try {
            handler.accept(value, failure);
          } catch (RuntimeException | Error e) {
            LOG.error("{} failed", what, e);
            throw e;
          }
        });
  }
}
