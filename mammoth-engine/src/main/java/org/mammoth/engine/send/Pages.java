package org.mammoth.engine.send;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
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

  private FileChannel file;
  private boolean broken;
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

  /** Takes a table over. */
  Page add(int[] numbers) {
    Page page = new Page(numbers);
    synchronized (this) {
      enter(page);
    }
    return page;
  }

  private void enter(Page page) {
    clock.add(page);
    changed(page.size());
    while (bytes > most && clock.size() > 1 && !broken) {
      Iterator<Page> eldest = clock.iterator();
      Page next = eldest.next();
      if (next != page && !next.used && isSaved(next)) {
        eldest.remove();
        next.numbers = null;
        changed(-next.size());
      } else {
        next.used = false;
        eldest.remove();
        clock.add(next);
      }
    }
  }

  private void changed(long change) {
    bytes += change;
    charge.changed(OWNER, Memory.HEAP, change);
  }

  /** Sees to it that the table is in the file. */
  private boolean isSaved(Page page) {
    if (page.at >= 0) {
      return true;
    }
    try {
      if (file == null) {
        file =
            FileChannel.open(
                place.file(),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
      }
      ByteBuffer buffer = ByteBuffer.allocate((int) page.size());
      buffer.asIntBuffer().put(page.numbers);
      page.checksum = checksum(buffer);
      long at = fileEnd;
      while (buffer.hasRemaining()) {
        file.write(buffer, at + buffer.position());
      }
      page.at = at;
      fileEnd += page.size();
      inFile++;
      return true;
    } catch (IOException | RuntimeException e) {
      broken = true;
      LOG.warn(
          "Tables of map outputs stay in memory, more than {} bytes: their file fails", most, e);
      return false;
    }
  }

  private static int checksum(ByteBuffer buffer) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.duplicate());
    return (int) crc.getValue();
  }

  private synchronized int[] load(Page page) throws IOException {
    if (page.numbers != null) {
      return page.numbers;
    }
    if (page.dropped) {
      throw new IOException("a table of a map output was used after its job's end");
    }
    ByteBuffer buffer = ByteBuffer.allocate((int) page.size());
    while (buffer.hasRemaining()) {
      if (file.read(buffer, page.at + buffer.position()) < 0) {
        throw new IOException("the file of the tables of map outputs ends too early");
      }
    }
    buffer.flip();
    if (checksum(buffer) != page.checksum) {
      throw new IOException("a table of a map output was changed on disk");
    }
    int[] numbers = new int[page.length];
    buffer.asIntBuffer().get(numbers);
    page.numbers = numbers;
    page.used = true;
    enter(page);
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
    if (page.at >= 0) {
      inFile--;
      page.at = -1;
      if (inFile == 0) {
        fileEnd = 0;
      }
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (file != null) {
      file.close();
    }
  }
}
