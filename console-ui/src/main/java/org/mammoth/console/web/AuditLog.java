// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.mammoth.console.store.AppendFile;

/**
 * Every action and every look at configuration and threads that was asked for, allowed or not: one
 * line of JSON when it is about to be done, one with what came of it. Whoever cannot write the
 * first must not do it. A line that does not fit on the disk leaves no part of itself, and the next
 * is tried on the file opened anew. What is refused may come from anybody, as much as they like:
 * beyond some it is counted, in the next line. Any thread.
 */
final class AuditLog implements Closeable {

  /** How many letters of what somebody asks are kept. */
  static final int MOST_LETTERS = 500;

  /** How many refused requests have a line each at once, and how often there is one more. */
  static final int MOST_REFUSED = 100;

  private static final long REFUSED_PAUSE_MS = 10_000;

  private final ObjectMapper json = new ObjectMapper();
  private final Allowance refused = new Allowance(MOST_REFUSED, REFUSED_PAUSE_MS);
  private long unlisted;
  private final Path path;
  private final Clock clock;
  private AppendFile file;
  private boolean mended;

  /**
   * One request.
   *
   * @param user who asks
   * @param remote from which address
   * @param action its path
   * @param subject what it is about beside its path, or empty
   */
  record Entry(String user, String remote, String action, String subject) {

    /** Of what somebody sends, {@link #MOST_LETTERS} letters of each are enough to know it by. */
    Entry {
      user = cut(user);
      action = cut(action);
      subject = cut(subject);
    }

    private static String cut(String text) {
      return text == null || text.length() <= MOST_LETTERS
          ? text
          : text.substring(0, MOST_LETTERS) + "... (" + text.length() + " letters)";
    }
  }

  AuditLog(Path path, Clock clock) throws IOException {
    this.clock = clock;
    this.path = path;
    Files.createDirectories(path.getParent());
    open();
  }

  /** It is about to be done. */
  void before(Entry entry) throws IOException {
    write(entry, "state", "about to be done");
  }

  /** It came to this HTTP status. */
  void after(Entry entry, int status) throws IOException {
    write(entry, "status", status);
  }

  /** It was not begun, with this HTTP status. */
  synchronized void refused(Entry entry, int status) throws IOException {
    if (refused.take(clock.millis())) {
      write(entry, "status", status);
    } else {
      unlisted++;
    }
  }

  private synchronized void write(Entry entry, String name, Object value) throws IOException {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("time", Instant.ofEpochMilli(clock.millis()).toString());
    line.put("user", entry.user());
    line.put("remote", entry.remote());
    line.put("action", entry.action());
    line.put("subject", entry.subject());
    line.put(name, value);
    if (unlisted > 0) {
      line.put("refusedBefore", unlisted);
    }
    byte[] bytes = json.writeValueAsBytes(line);
    if (file == null) {
      open();
    }
    ByteBuffer whole = ByteBuffer.allocate(bytes.length + 2);
    if (mended) {
      whole.put((byte) '\n');
    }
    whole.put(bytes).put((byte) '\n').flip();
    try {
      file.append(whole);
      mended = false;
      unlisted = 0;
    } catch (IOException e) {
      AppendFile failed = file;
      file = null;
      failed.close();
      throw e;
    }
  }

  private void open() throws IOException {
    file = new AppendFile(path);
    try (RandomAccessFile end = new RandomAccessFile(path.toFile(), "r")) {
      long length = end.length();
      if (length > 0) {
        end.seek(length - 1);
        // A part of a line that could not be taken back stays a line of its own.
        mended = end.read() != '\n';
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
