// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.SegmentUnavailableException;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.transfer.EngineAddress;

class EngineDirectoryTest {

  private static final long ALIVE = ProcessHandle.current().pid();
  private static final long DEAD = (1L << 31) - 1;

  @TempDir private Path homes;
  private final Map<String, String> users = Map.of("job_1", "ann", "job_2", "bob");

  private EngineHome engine(String id, String user, int age) throws IOException {
    EngineHome home = EngineHome.create(homes, id, user);
    Files.createFile(home.settings());
    Files.setLastModifiedTime(home.settings(), FileTime.fromMillis(1_000_000 - age));
    return home;
  }

  private int answer(String job) throws IOException {
    try (Segment segment =
        new EngineDirectory(List.of(homes), users::get).find(job, EngineAddress.NAME, 0)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) segment.partLength());
      segment.read(0, bytes);
      return EngineAddress.port(bytes.array(), bytes.capacity()).orElseThrow();
    }
  }

  private void assertNone(String job) {
    assertThatThrownBy(() -> answer(job))
        .isInstanceOfSatisfying(
            SegmentUnavailableException.class,
            refused -> assertThat(refused.reason()).isEqualTo(Reason.NO_SUCH_OUTPUT));
  }

  @Test
  void namesTheEngineOfTheJobsUser() throws IOException {
    engine("engine-ann-1", "ann", 0).publish(new EngineHome.Address(ALIVE, 1, 101));
    engine("engine-bob-1", "bob", 0).publish(new EngineHome.Address(ALIVE, 1, 102));
    engine("appmaster-ann-1", "ann", 0).publish(new EngineHome.Address(ALIVE, 1, 103));
    assertThat(answer("job_1")).isEqualTo(101);
    assertThat(answer("job_2")).isEqualTo(102);
  }

  @Test
  void prefersTheNewestAndPassesOverTheDeadAndTheSilent() throws IOException {
    engine("engine-ann-1", "ann", 50).publish(new EngineHome.Address(ALIVE, 1, 101));
    engine("engine-ann-2", "ann", 40).publish(new EngineHome.Address(ALIVE, 1, 102));
    engine("engine-ann-3", "ann", 30).publish(new EngineHome.Address(DEAD, 1, 103));
    engine("engine-ann-4", "ann", 20).publish(new EngineHome.Address(ALIVE, 1, 0));
    engine("engine-ann-5", "ann", 10);
    assertThat(answer("job_1")).isEqualTo(102);
  }

  @Test
  void saysSoWhereThereIsNone() throws IOException {
    assertNone("job_1");
    engine("engine-bob-1", "bob", 0).publish(new EngineHome.Address(ALIVE, 1, 102));
    assertNone("job_1");
    assertNone("job_3");
    assertThatThrownBy(
            () ->
                new EngineDirectory(List.of(homes), users::get).find("job_2", "attempt_2_m_0_0", 0))
        .isInstanceOf(SegmentUnavailableException.class);
    assertThatThrownBy(
            () ->
                new EngineDirectory(List.of(homes.resolve("none")), users::get)
                    .find("job_2", EngineAddress.NAME, 0))
        .isInstanceOf(SegmentUnavailableException.class);
  }
}
