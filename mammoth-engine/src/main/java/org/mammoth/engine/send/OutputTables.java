// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.mammoth.engine.io.BlockSums;

/**
 * The index and the checksums of one map output, in memory or paged out. Any thread.
 *
 * <p>What cannot be read back is an {@link UncheckedIOException}: whoever wanted to read the output
 * fails and takes it in another way, or anew.
 */
final class OutputTables {

  private final PartitionIndex.Shape shape;
  private final int partitions;
  private final long fileBytes;
  private final long sumsLength;
  private final boolean hasSums;

  /** Null once paged. */
  private volatile PartitionIndex index;

  private volatile BlockSums sums;
  private volatile Pages.Page indexPage;
  private volatile Pages.Page sumsPage;

  /** {@code sums} may be null. */
  OutputTables(PartitionIndex whole, BlockSums sums) {
    this.index = whole.compact();
    this.shape = index.shape();
    this.partitions = index.partitions();
    this.fileBytes = index.fileBytes();
    this.sums = sums;
    this.hasSums = sums != null;
    this.sumsLength = hasSums ? sums.length() : 0;
  }

  /** Hands the tables to those who bound what all outputs take. */
  synchronized void pageTo(Pages pages) {
    if (shape != null && indexPage == null) {
      indexPage = pages.add(index.numbers());
      index = null;
    }
    if (hasSums && sumsPage == null) {
      sumsPage = pages.add(sums.numbers());
      sums = null;
    }
  }

  /** The output is not served any more; who still has it keeps what is in memory. */
  synchronized void drop() {
    if (indexPage != null) {
      int[] left = indexPage.numbersInMemory();
      index = left == null ? null : PartitionIndex.of(shape, left);
      indexPage.drop();
    }
    if (sumsPage != null) {
      int[] left = sumsPage.numbersInMemory();
      sums = left == null ? null : BlockSums.of(left, sumsLength);
      sumsPage.drop();
    }
  }

  boolean isInMemory() {
    Pages.Page one = indexPage;
    Pages.Page other = sumsPage;
    return (one == null || one.isInMemory()) && (other == null || other.isInMemory());
  }

  int partitions() {
    return partitions;
  }

  long fileBytes() {
    return fileBytes;
  }

  boolean hasSums() {
    return hasSums;
  }

  PartitionIndex index() {
    PartitionIndex known = index;
    if (known != null) {
      return known;
    }
    Pages.Page page = indexPage;
    return page == null ? index : PartitionIndex.of(shape, numbers(page));
  }

  /** Null if they are not known. */
  BlockSums sums() {
    BlockSums known = sums;
    if (known != null || !hasSums) {
      return known;
    }
    Pages.Page page = sumsPage;
    return page == null ? sums : BlockSums.of(numbers(page), sumsLength);
  }

  private static int[] numbers(Pages.Page page) {
    try {
      return page.get();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
