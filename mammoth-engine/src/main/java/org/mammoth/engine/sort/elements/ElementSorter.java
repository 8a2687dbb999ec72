// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.sort.elements;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.util.IndexedSortable;
import org.apache.hadoop.util.QuickSort;
import org.mammoth.engine.sort.keys.KeyOrder;

/**
 * Sorts the entries of an {@link EntryIndex}: first by partition, counting and swapping each entry
 * to its place; then each partition by the leading bits of its prefixes ({@link PrefixBuckets});
 * then by key, with a quicksort that sets keys equal to the pivot aside, so that many equal keys
 * make it faster, and that turns to a heap sort when it gets too deep.
 *
 * <p>One thread at a time; it keeps the counters of partitions between elements.
 */
public final class ElementSorter {

  private static final int SMALL = 12;
  private static final int WORTH_SPREADING = 64;

  private final KeyOrder order;
  private final int partitions;
  private final int[] next;
  private final int[] ends;
  private final PrefixBuckets buckets = new PrefixBuckets();
  private final EntryScatter scatter;
  private EntryIndex index;

  public ElementSorter(KeyOrder order, int partitions) {
    this.order = order;
    this.partitions = partitions;
    this.next = new int[partitions];
    this.ends = new int[partitions];
    this.scatter = new EntryScatter(partitions);
  }

  public void sort(EntryIndex unsorted) {
    index = unsorted;
    int count = unsorted.count();
    if (partitions == 1) {
      sortKeys(0, count);
    } else {
      group(count);
      int from = 0;
      for (int end : ends) {
        sortKeys(from, end);
        from = end;
      }
    }
    index = null;
  }

  /**
   * Sorts the entries of several elements into one index.
   *
   * @param ofLast how many entries of the last element, its first ones
   * @param into empty, with room for all; the records of element i lie in its slab i
   */
  public void sort(List<Element> elements, int ofLast, EntryIndex into) {
    scatter.scatter(elements, ofLast, into);
    index = into;
    int from = 0;
    for (int bucket = 0; bucket < scatter.buckets(); bucket++) {
      sortByComparing(from, scatter.end(bucket));
      from = scatter.end(bucket);
    }
    index = null;
  }

  /**
   * Sorts as upstream's MapOutputBuffer sorts what it spills at once: by its algorithm, beginning
   * with the record that was collected last, so that equal keys come in its order. Slower than
   * {@link #sort(EntryIndex)}.
   */
  public void sortLikeUpstream(EntryIndex unsorted) {
    int count = unsorted.count();
    for (int first = 0, last = count - 1; first < last; first++, last--) {
      unsorted.swap(first, last);
    }
    index = unsorted;
    new QuickSort().sort(new ByPartitionAndKey(), 0, count);
    index = null;
  }

  /**
   * The same for several elements, in the order in which they were collected.
   *
   * @param ofLast how many entries of the last element, its first ones
   * @param into empty, with room for all; the records of element i lie in its slab i
   */
  public void sortLikeUpstream(List<Element> elements, int ofLast, EntryIndex into) {
    int last = elements.size() - 1;
    for (int slab = 0; slab <= last; slab++) {
      EntryIndex from = elements.get(slab).index();
      int count = slab == last ? ofLast : from.count();
      long distance = into.placeOf(slab);
      int at = into.count();
      into.grow(count);
      for (int i = 0; i < count; i++) {
        into.set(at + i, from.prefix(i), from.place(i) + distance);
      }
    }
    sortLikeUpstream(into);
  }

  /** The entries as upstream's sort sees them. */
  private final class ByPartitionAndKey implements IndexedSortable {

    @Override
    public int compare(int left, int right) {
      int partition = index.partition(left);
      int other = index.partition(right);
      return partition == other
          ? ElementSorter.this.compare(left, right)
          : Integer.compare(partition, other);
    }

    @Override
    public void swap(int left, int right) {
      index.swap(left, right);
    }
  }

  private void group(int count) {
    Arrays.fill(ends, 0);
    for (int i = 0; i < count; i++) {
      ends[index.partition(i)]++;
    }
    int sum = 0;
    for (int p = 0; p < partitions; p++) {
      next[p] = sum;
      sum += ends[p];
      ends[p] = sum;
    }
    for (int p = 0; p < partitions; p++) {
      while (next[p] < ends[p]) {
        int home = index.partition(next[p]);
        if (home == p) {
          next[p]++;
        } else {
          index.swap(next[p], next[home]++);
        }
      }
    }
  }

  private void sortKeys(int from, int to) {
    if (to - from >= WORTH_SPREADING && buckets.spread(index, from, to)) {
      int begin = from;
      for (int i = 0; i < buckets.count(); i++) {
        sortByComparing(begin, buckets.end(i));
        begin = buckets.end(i);
      }
    } else {
      sortByComparing(from, to);
    }
  }

  private void sortByComparing(int from, int to) {
    if (to - from > 1) {
      quickSort(from, to, 2 * (32 - Integer.numberOfLeadingZeros(to - from)));
    }
  }

  private void quickSort(int first, int last, int depth) {
    int from = first;
    int to = last;
    int left = depth;
    while (to - from > SMALL) {
      if (left-- == 0) {
        heapSort(from, to);
        return;
      }
      int pivotIndex = median(from, to);
      long pivot = index.prefix(pivotIndex);
      long pivotPlace = index.place(pivotIndex);
      // [from, low) smaller, [low, at) equal, (high, to) greater
      int low = from;
      int at = from;
      int high = to - 1;
      boolean decided = order.decides(pivot);
      while (at <= high) {
        long prefix = index.prefix(at);
        int comparison;
        if (prefix != pivot) {
          comparison = prefix < pivot ? -1 : 1;
        } else {
          comparison =
              decided ? 0 : index.compareKeys(order, (int) index.place(at), (int) pivotPlace);
        }
        if (comparison < 0) {
          if (low != at) {
            index.swap(low, at);
          }
          low++;
          at++;
        } else if (comparison > 0) {
          index.swap(at, high--);
        } else {
          at++;
        }
      }
      // the smaller side on the stack, so that it stays shallow
      if (low - from < to - high - 1) {
        quickSort(from, low, left);
        from = high + 1;
      } else {
        quickSort(high + 1, to, left);
        to = low;
      }
    }
    insertionSort(from, to);
  }

  private int median(int from, int to) {
    int middle = from + to >>> 1;
    if (to - from < 200) {
      return median(from, middle, to - 1);
    }
    int step = (to - from) / 8;
    return median(
        median(from, from + step, from + 2 * step),
        median(middle - step, middle, middle + step),
        median(to - 1 - 2 * step, to - 1 - step, to - 1));
  }

  private int median(int a, int b, int c) {
    if (compare(a, b) < 0) {
      if (compare(b, c) < 0) {
        return b;
      }
      return compare(a, c) < 0 ? c : a;
    }
    if (compare(a, c) < 0) {
      return a;
    }
    return compare(b, c) < 0 ? c : b;
  }

  private void insertionSort(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      long prefix = index.prefix(i);
      long place = index.place(i);
      int at = i;
      while (at > from && compareWith(prefix, (int) place, at - 1) < 0) {
        index.set(at, index.prefix(at - 1), index.place(at - 1));
        at--;
      }
      index.set(at, prefix, place);
    }
  }

  private void heapSort(int from, int to) {
    int size = to - from;
    for (int i = size / 2 - 1; i >= 0; i--) {
      siftDown(from, i, size);
    }
    for (int i = size - 1; i > 0; i--) {
      index.swap(from, from + i);
      siftDown(from, 0, i);
    }
  }

  private void siftDown(int from, int root, int size) {
    int at = root;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      if (child + 1 < size && compare(from + child, from + child + 1) < 0) {
        child++;
      }
      if (compare(from + at, from + child) >= 0) {
        return;
      }
      index.swap(from + at, from + child);
      at = child;
    }
  }

  private int compare(int left, int right) {
    return compareWith(index.prefix(left), (int) index.place(left), right);
  }

  private int compareWith(long prefix, int place, int right) {
    long other = index.prefix(right);
    if (prefix != other) {
      return prefix < other ? -1 : 1;
    }
    return order.decides(prefix) ? 0 : index.compareKeys(order, place, (int) index.place(right));
  }
}
