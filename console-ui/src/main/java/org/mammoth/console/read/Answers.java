// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.read;

import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears answers of the cluster. What goes wrong with one is logged: {@link
 * CompletionStage#whenComplete} keeps it in the stage it returns, which nobody looks at.
 */
public final class Answers {

  private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

  private Answers() {}

  /**
   * Calls the handler once, with the answer or with why there is none; in the thread that completes
   * the future.
   *
   * @param what names what was asked, in the log
   */
  public static <T> void hear(
      CompletionStage<T> answer, String what, BiConsumer<? super T, ? super Throwable> handler) {
    answer.whenComplete(
        (value, failure) -> {
          try {
            handler.accept(value, failure);
          } catch (RuntimeException | Error e) {
            LOG.error("The answer about {} could not be taken", what, e);
            throw e;
          }
        });
  }

  /** As {@link #hear}, for who needs no word when there is no answer: it is asked for again. */
  static <T> void take(CompletionStage<T> answer, String what, Consumer<? super T> taker) {
    hear(
        answer,
        what,
        (value, failure) -> {
          if (failure == null) {
            taker.accept(value);
          }
        });
  }
}
