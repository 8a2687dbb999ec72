package org.mammoth.console.web;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Every action that was asked for, allowed or not: one line of JSON each. Any thread. */
final class AuditLog implements Closeable {

  private final ObjectMapper json = new ObjectMapper();
  private final OutputStream file;
  private final Clock clock;

  AuditLog(Path path, Clock clock) throws IOException {
    this.clock = clock;
    Files.createDirectories(path.getParent());
    this.file = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  synchronized void write(String user, String remote, String action, String subject, int status)
      throws IOException {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("time", Instant.ofEpochMilli(clock.millis()).toString());
    line.put("user", user);
    line.put("remote", remote);
    line.put("action", action);
    line.put("subject", subject);
    line.put("status", status);
    byte[] bytes = json.writeValueAsBytes(line);
    byte[] whole = java.util.Arrays.copyOf(bytes, bytes.length + 1);
    whole[bytes.length] = '\n';
    file.write(whole);
    file.flush();
  }

  @Override
  public synchronized void close() throws IOException {
    file.close();
  }
}
