// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.alert;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must survive a restart: alerts that fire, with who acknowledged them, mutes, and what was
 * sent. The file is replaced whole, so that one that is there is whole. One thread at a time.
 */
final class StateFile {

  private static final Logger LOG = LoggerFactory.getLogger(StateFile.class);
  private static final int VERSION = 1;

  private final ObjectMapper json =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  private final Path path;

  /**
   * The state.
   *
   * @param sent what each channel has sent last, by channel and rule
   */
  record State(
      int version,
      List<Alert> firing,
      List<Alert> resolved,
      List<Mute> mutes,
      Map<String, Map<String, Sent>> sent) {

    static final State NONE = new State(VERSION, List.of(), List.of(), List.of(), Map.of());

    static State of(
        List<Alert> firing,
        List<Alert> resolved,
        List<Mute> mutes,
        Map<String, Map<String, Sent>> sent) {
      return new State(VERSION, firing, resolved, mutes, sent);
    }

    /** The same with nothing that is later than now, as it is once a clock was set right. */
    State notAfter(long nowMs) {
      Map<String, Map<String, Sent>> cut = new TreeMap<>();
      sent.forEach(
          (channel, rules) -> {
            Map<String, Sent> last = new TreeMap<>(rules);
            last.replaceAll((rule, told) -> told.notAfter(nowMs));
            cut.put(channel, last);
          });
      return new State(
          version,
          firing.stream().map(alert -> alert.notAfter(nowMs)).toList(),
          resolved.stream().map(alert -> alert.notAfter(nowMs)).toList(),
          mutes.stream().map(mute -> mute.notAfter(nowMs)).toList(),
          cut);
    }

    private boolean whole() {
      return version == VERSION
          && firing != null
          && resolved != null
          && mutes != null
          && sent != null;
    }
  }

  StateFile(Path path) {
    this.path = path;
  }

  /** What was saved last; nothing if there is no file, or it is damaged and was set aside. */
  State load() throws IOException {
    if (!Files.exists(path)) {
      return State.NONE;
    }
    try {
      State state = json.readValue(Files.readAllBytes(path), State.class);
      if (state != null && state.whole()) {
        return state;
      }
      setAside("it is not of version " + VERSION);
    } catch (JsonProcessingException e) {
      setAside(e.getOriginalMessage());
    }
    return State.NONE;
  }

  private void setAside(String why) throws IOException {
    Path aside = path.resolveSibling(path.getFileName() + ".damaged");
    Files.move(path, aside, StandardCopyOption.REPLACE_EXISTING);
    LOG.error(
        "The state of alerts cannot be read ({}); it is now {}. Alerts are told of anew, and"
            + " acknowledgements and mutes have to be given again",
        why,
        aside);
  }

  /**
   * Puts a state on the disk.
   *
   * @throws IOException if it is not there; what was before is as it was
   */
  void save(State state) throws IOException {
    Path next = path.resolveSibling(path.getFileName() + ".next");
    try (FileChannel file =
        FileChannel.open(
            next,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.wrap(json.writeValueAsBytes(state));
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      file.force(true);
    }
    Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
