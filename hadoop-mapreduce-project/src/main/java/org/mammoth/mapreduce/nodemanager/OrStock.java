// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does something of Mammoth's in place of stock's, which it leaves as it is if it fails. */
final class OrStock {

  private static final Logger LOG = LoggerFactory.getLogger(OrStock.class);

  private OrStock() {}

  /**
   * Whatever is thrown is logged and goes no further.
   *
   * @param what names it in the log
   * @param ours may throw anything unchecked
   * @param stock what holds if it does
   */
  static <T> T of(String what, Supplier<T> ours, T stock) {
    return of(what, ours, stock, failure -> {});
  }

  /**
   * The same, which others are to know of.
   *
   * @param told what is thrown; throws nothing itself
   */
  static <T> T of(String what, Supplier<T> ours, T stock, Consumer<Throwable> told) {
    try {
      return ours.get();
    } catch (RuntimeException | Error e) {
      LOG.error("{} failed; it is as on stock", what, e);
      told.accept(e);
      return stock;
    }
  }
}
