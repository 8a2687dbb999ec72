// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.slave;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads of SSD directories, and deletions there, that go on at this moment, to learn of an SSD that
 * neither answers nor fails. They are looked at now and then: a read that was there at each of many
 * looks hangs, while a pause of the whole process counts as one look.
 *
 * <p>Safe for any thread.
 */
public final class SsdReads {

  /** Looks, of a second as a rule, after which a read hangs. */
  static final int LONGEST_LOOKS = 10;

  private final Set<Reader> readers = ConcurrentHashMap.newKeySet();

  /**
   * One who reads of a directory. One thread at a time, who calls {@link #begin} before a read and
   * {@link #end} after it.
   */
  public static final class Reader implements AutoCloseable {

    private final SsdReads all;
    private final SsdDirectory directory;
    private long reads;

    /** The number of the read that goes on, from 1; 0 if none does. */
    private volatile long now;

    /** What the last look saw, and how many before it saw the same. For who looks alone. */
    private long seen;

    private int looks;

    private Reader(SsdReads all, SsdDirectory directory) {
      this.all = all;
      this.directory = directory;
    }

    /** A read begins, which should end soon. */
    public void begin() {
      now = ++reads;
    }

    /** It has ended, well or not. */
    public void end() {
      now = 0;
    }

    /** There are no reads any more. Safe to call twice. */
    @Override
    public void close() {
      now = 0;
      all.readers.remove(this);
    }

    private boolean hangs() {
      long number = now;
      looks = number != 0 && number == seen ? looks + 1 : 0;
      seen = number;
      return looks >= LONGEST_LOOKS;
    }
  }

  /** One whose reads nobody looks at. */
  public static Reader unwatched() {
    return new Reader(new SsdReads(), null);
  }

  /** One who reads of this directory until he is closed. */
  Reader of(SsdDirectory directory) {
    Reader reader = new Reader(this, directory);
    readers.add(reader);
    return reader;
  }

  /** Looks once; which directories do not answer. One thread at a time. */
  Set<SsdDirectory> hanging() {
    Set<SsdDirectory> hanging = new HashSet<>();
    for (Reader reader : readers) {
      if (reader.hangs()) {
        hanging.add(reader.directory);
      }
    }
    return hanging;
  }
}
