// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import java.io.IOException;
import org.mammoth.engine.io.BlockSums;

/**
 * The index and the checksums of one map output, in memory or paged out. Any thread.
 *
 * <p>What cannot be read back is a {@link TablesLostException}: the output is dropped then and
 * found anew by its files, as one of which no checksums of blocks are known. Nobody reads without
 * those what has been taken for verified because of them.
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

  /** Whether {@link #sums} knows them or fails. */
  boolean hasSums() {
    return hasSums;
  }

  /**
   * Where the segments are; waits for them if they are not in memory.
   *
   * @throws TablesLostException if nobody knows any more
   */
  PartitionIndex index() throws TablesLostException {
    PartitionIndex known = index;
    if (known != null) {
      return known;
    }
    Pages.Page page = indexPage;
    if (page != null) {
      try {
        return PartitionIndex.of(shape, page.get());
      } catch (IOException e) {
        known = index;
        if (known == null) {
          throw new TablesLostException(e);
        }
      }
    }
    return known == null ? index : known;
  }

  /** Where the segments are; null if that is not in memory. Waits for nothing. */
  PartitionIndex indexInMemory() {
    PartitionIndex known = index;
    Pages.Page page = indexPage;
    if (known != null || page == null) {
      return known;
    }
    int[] numbers = page.numbersInMemory();
    return numbers == null ? null : PartitionIndex.of(shape, numbers);
  }

  /**
   * Null if they never were known; waits for them if they are not in memory.
   *
   * @throws TablesLostException if nobody knows any more
   */
  BlockSums sums() throws TablesLostException {
    BlockSums known = sums;
    if (known != null) {
      return known;
    }
    Pages.Page page = sumsPage;
    if (page != null) {
      try {
        return BlockSums.of(page.get(), sumsLength);
      } catch (IOException e) {
        known = sums;
        if (known == null) {
          throw new TablesLostException(e);
        }
      }
    }
    return known == null ? sums : known;
  }
}
