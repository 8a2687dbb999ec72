// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.send;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.mammoth.engine.io.IoCharge;
import org.mammoth.engine.io.IoCharge.Memory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Small tables that a node keeps of each of its map outputs, of which there may be very many: those
 * that were used last are in memory, at most so many bytes, and the others in a file that has no
 * name and so ends with its process. A file that fails is not used any more; then all stays in
 * memory. Any thread; one that uses a table that is not in memory waits for the file.
 *
 * <p>Tasks' threads read and write the file of all: an interrupt, which would close a file channel
 * under everybody, must do nothing to it.
 */
public final class Pages implements Closeable {

  /** Whose memory it is in what is charged. */
  public static final String OWNER = "tables of map outputs";

  private static final Logger LOG = LoggerFactory.getLogger(Pages.class);

  /** Places a file for tables. */
  @FunctionalInterface
  public interface Place {

    /** A file that is not there yet, in a folder that is. */
    Path file() throws IOException;
  }

  private final long most;
  private final Place place;
  private final IoCharge charge;

  /** Tables in memory, in the order in which they are looked at to find one to drop. */
  private final Set<Page> clock = new LinkedHashSet<>();

  /** Held while the file is read or written, by no thread that only adds or drops. */
  private final ReentrantLock fileLock = new ReentrantLock();

  private volatile RandomAccessFile file;
  private volatile boolean broken;
  private long fileEnd;
  private int inFile;
  private volatile long bytes;

  /**
   * Nothing yet; the file is made when it is needed.
   *
   * @param most bytes of memory, but one table always
   * @param place where the file goes
   * @param charge told of the memory
   */
  public Pages(long most, Place place, IoCharge charge) {
    this.most = most;
    this.place = place;
    this.charge = charge;
  }

  /** Keeps everything in memory, without a bound. */
  public static Pages inMemory() {
    return new Pages(Long.MAX_VALUE, () -> null, (owner, memory, change) -> {});
  }

  /** Bytes in memory. */
  public long bytes() {
    return bytes;
  }

  /** One table. */
  final class Page {
    private final int length;
    private volatile int[] numbers;
    private volatile boolean used = true;
    private long at = -1;
    private int checksum;
    private boolean dropped;

    private Page(int[] numbers) {
      this.length = numbers.length;
      this.numbers = numbers;
    }

    boolean isInMemory() {
      return numbers != null;
    }

    /** Its numbers as far as they are in memory, else null. */
    int[] numbersInMemory() {
      return numbers;
    }

    /** Its numbers; nobody may change them. */
    int[] get() throws IOException {
      int[] known = numbers;
      if (known == null) {
        known = load(this);
      }
      used = true;
      return known;
    }

    /** It is not needed any more. */
    void drop() {
      Pages.this.drop(this);
    }

    private long size() {
      return 4L * length;
    }
  }

  /** Takes a table over. Waits for no disk that another thread waits for. */
  Page add(int[] numbers) {
    Page page = new Page(numbers);
    enter(page);
    shrink(page);
    return page;
  }

  private synchronized void enter(Page page) {
    clock.add(page);
    changed(page.size());
  }

  private void changed(long change) {
    bytes += change;
    charge.changed(OWNER, Memory.HEAP, change);
  }

  /**
   * Has tables leave the memory until the others fit. One thread at a time does so; what others add
   * meanwhile is above the bound until it comes round to it, as is all while a disk hangs.
   *
   * @param kept a table that stays
   */
  private void shrink(Page kept) {
    if (bytes <= most || broken || !fileLock.tryLock()) {
      return;
    }
    try {
      Page next = victim(kept);
      while (next != null && save(next)) {
        leave(next);
        next = victim(kept);
      }
    } finally {
      fileLock.unlock();
    }
  }

  /** The table that was used least lately, about; null if none has to go. */
  private synchronized Page victim(Page kept) {
    while (bytes > most && clock.size() > 1) {
      Iterator<Page> eldest = clock.iterator();
      Page next = eldest.next();
      if (next != kept && !next.used) {
        return next;
      }
      next.used = false;
      eldest.remove();
      clock.add(next);
    }
    return null;
  }

  private synchronized void leave(Page page) {
    if (!page.dropped) {
      clock.remove(page);
      page.numbers = null;
      changed(-page.size());
    }
  }

  /** Sees to it that a table is in the file; under {@link #fileLock}. */
  private boolean save(Page page) {
    int[] numbers;
    long at;
    synchronized (this) {
      if (page.dropped || page.at >= 0) {
        return true;
      }
      numbers = page.numbers;
      at = fileEnd;
      fileEnd += page.size();
      page.at = at;
      inFile++;
    }
    try {
      if (file == null) {
        file = nameless(place.file());
      }
      ByteBuffer buffer = ByteBuffer.allocate((int) page.size());
      buffer.asIntBuffer().put(numbers);
      page.checksum = checksum(buffer);
      file.seek(at);
      file.write(buffer.array());
      return true;
    } catch (IOException | RuntimeException e) {
      broken = true;
      synchronized (this) {
        outOfFile(page);
      }
      LOG.warn(
          "Tables of map outputs stay in memory, more than {} bytes: their file fails", most, e);
      return false;
    }
  }

  /** A new file, which loses its name at once. */
  private static RandomAccessFile nameless(Path path) throws IOException {
    Files.createFile(path);
    try {
      return new RandomAccessFile(path.toFile(), "rw");
    } finally {
      Files.delete(path);
    }
  }

  private void outOfFile(Page page) {
    if (page.at >= 0) {
      inFile--;
      page.at = -1;
      if (inFile == 0) {
        fileEnd = 0;
      }
    }
  }

  private static int checksum(ByteBuffer buffer) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate());
    return (int) crc.getValue();
  }

  private int[] load(Page page) throws IOException {
    fileLock.lock();
    try {
      long at;
      synchronized (this) {
        if (page.numbers != null) {
          return page.numbers;
        }
        if (page.dropped) {
          throw new IOException("a table of a map output was used after its job's end");
        }
        at = page.at;
      }
      int[] numbers = read(page, at);
      synchronized (this) {
        if (page.dropped) {
          return numbers;
        }
        page.numbers = numbers;
        page.used = true;
        enter(page);
      }
      shrink(page);
      return numbers;
    } finally {
      fileLock.unlock();
    }
  }

  /** Nothing is written meanwhile, so that a place in the file is nobody else's. */
  private int[] read(Page page, long at) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) page.size());
    file.seek(at);
    file.readFully(buffer.array());
    if (checksum(buffer) != page.checksum) {
      throw new IOException("a table of a map output was changed on disk");
    }
    int[] numbers = new int[page.length];
    buffer.asIntBuffer().get(numbers);
    return numbers;
  }

  private synchronized void drop(Page page) {
    if (page.dropped) {
      return;
    }
    page.dropped = true;
    if (page.numbers != null) {
      // Who has its numbers goes on with them.
      clock.remove(page);
      page.numbers = null;
      changed(-page.size());
    }
    outOfFile(page);
  }

  @Override
  public void close() throws IOException {
    RandomAccessFile open = file;
    if (open != null) {
      open.close();
    }
  }
}
