// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What was done on a node, one JSON object a line, each forced to disk before the next step begins.
 * A line that a crash cut off is left out. One thread.
 */
public final class Journal {

  /** What a line says. */
  public enum Event {
    /** A run begins. */
    RUN,
    /** A step begins. */
    BEGIN,
    /** A step is done. */
    DONE,
    /** A step failed. */
    FAILED,
    /** A run is done. */
    FINISHED,
    /** A folder that was not there was made; its path is the detail. */
    MADE,
    /** Daemons are about to start with another release; the detail is the one before it. */
    BEFORE,
    /** The NodeManager is about to be stopped and started again; how it was, is the detail. */
    RESTARTING,
    /** It runs again. */
    RESTARTED
  }

  /**
   * A line.
   *
   * @param at when, by this node's clock
   * @param event what
   * @param name of the run or the step
   * @param detail more, as the event says; may be empty
   */
  public record Entry(Instant at, Event event, String name, String detail) {}

  /** Name of the run that takes all of ours out. */
  static final String ROLLBACK = "rollback";

  /** Name of the last step of the others. */
  static final String TIDY = "tidy";

  /** In place of a release's id: none. */
  public static final String STOCK = "stock";

  /**
   * What runs that are not finished have done to what daemons start with.
   *
   * @param isChanged whether they have touched it
   * @param before which release it was before the first of them; empty if none was told of
   */
  public record Unproven(boolean isChanged, Optional<String> before) {}

  private final Path file;
  private final Clock clock;
  private final ObjectMapper json = new ObjectMapper();

  /** The journal in a file, which is made with the first entry. */
  public Journal(Path file, Clock clock) {
    this.file = file;
    this.clock = clock;
  }

  /** Writes a line; on disk on return. */
  public void add(Event event, String name, String detail) throws IOException {
    ObjectNode entry = json.createObjectNode();
    entry.put("at", clock.instant().toString());
    entry.put("event", event.name());
    entry.put("name", name);
    entry.put("detail", detail);
    // A line break first, in case a crash has cut the last line off.
    byte[] line = ("\n" + json.writeValueAsString(entry) + "\n").getBytes(StandardCharsets.UTF_8);
    try (FileChannel out = Disk.openOwn(file, StandardOpenOption.APPEND)) {
      ByteBuffer bytes = ByteBuffer.wrap(line);
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
  }

  /** All lines in order; none if there is no journal. */
  public List<Entry> entries() throws IOException {
    List<Entry> entries = new ArrayList<>();
    if (!Files.exists(file)) {
      return entries;
    }
    // A letter that was cut in two spoils its line and no other.
    String all = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    for (String line : all.split("\n")) {
      read(line).ifPresent(entries::add);
    }
    return entries;
  }

  private Optional<Entry> read(String line) {
    if (line.isBlank()) {
      return Optional.empty();
    }
    try {
      JsonNode entry = json.readTree(line);
      return Optional.of(
          new Entry(
              Instant.parse(entry.path("at").asText()),
              Event.valueOf(entry.path("event").asText()),
              entry.path("name").asText(),
              entry.path("detail").asText()));
    } catch (JsonProcessingException | RuntimeException cutOff) {
      return Optional.empty();
    }
  }

  /**
   * The run that has begun last and is not finished, with its last step; empty if there is none.
   */
  public Optional<Entry> unfinished() throws IOException {
    Entry last = null;
    for (Entry entry : entries()) {
      switch (entry.event()) {
        case FINISHED -> last = null;
        case RUN -> last = entry;
        case BEGIN, FAILED ->
            last =
                last == null
                    ? null
                    : new Entry(
                        entry.at(),
                        entry.event(),
                        last.name(),
                        entry.name() + (entry.detail().isEmpty() ? "" : ": " + entry.detail()));
        default -> {}
      }
    }
    return Optional.ofNullable(last);
  }

  /**
   * What has not been proven yet by a run that came to its last step, in which it removes what was
   * before.
   */
  public Unproven unproven() throws IOException {
    Unproven unproven = new Unproven(false, Optional.empty());
    for (Entry entry : entries()) {
      Optional<String> before = unproven.before();
      unproven =
          switch (entry.event()) {
            case FINISHED -> new Unproven(false, Optional.empty());
            case BEFORE -> new Unproven(true, before.or(() -> Optional.of(entry.detail())));
            case RESTARTING -> new Unproven(true, before);
            case RUN ->
                entry.name().equals(ROLLBACK)
                    ? new Unproven(unproven.isChanged(), Optional.of(STOCK))
                    : unproven;
            case BEGIN ->
                entry.name().equals(TIDY) ? new Unproven(false, Optional.empty()) : unproven;
            default -> unproven;
          };
    }
    return unproven;
  }

  /** Whether a NodeManager was stopped that has not been seen to run again. */
  public boolean isRestarting() throws IOException {
    boolean restarting = false;
    for (Entry entry : entries()) {
      if (entry.event() == Event.RESTARTING) {
        restarting = true;
      } else if (entry.event() == Event.RESTARTED) {
        restarting = false;
      }
    }
    return restarting;
  }

  /** How the NodeManager that a run stopped last had been started; empty if none tells. */
  public Optional<String> lastStart() throws IOException {
    return entries().stream()
        .filter(entry -> entry.event() == Event.RESTARTING && !entry.detail().isEmpty())
        .map(Entry::detail)
        .reduce((first, last) -> last);
  }

  /** Folders that were made outside our own. */
  public List<Path> made() throws IOException {
    return entries().stream()
        .filter(entry -> entry.event() == Event.MADE)
        .map(entry -> Path.of(entry.detail()))
        .distinct()
        .toList();
  }
}
