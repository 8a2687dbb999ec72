// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.mammoth.engine.shuffle.Reason;
import org.mammoth.engine.shuffle.server.Segment;
import org.mammoth.engine.shuffle.server.SegmentSource;
import org.mammoth.engine.shuffle.server.SegmentUnavailableException;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.mammoth.mapreduce.transfer.EngineAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers where the engine of a job's user serves map output on this node, from what running
 * engines have written into their homes: so an answer is right after an engine's or the
 * NodeManager's restart without anybody being told. Any thread; reads a few small files per answer.
 */
final class EngineDirectory implements SegmentSource {

  /** Begins the name of each home of an engine that runs tasks. */
  static final String KIND = "engine";

  private static final Logger LOG = LoggerFactory.getLogger(EngineDirectory.class);

  private final List<Path> homes;
  private final UnaryOperator<String> userOfJob;

  /**
   * A directory of the engines in {@code homes}.
   *
   * @param homes folder of homes on each disk
   * @param userOfJob tells whose a job is; null for an unknown one
   */
  EngineDirectory(List<Path> homes, UnaryOperator<String> userOfJob) {
    this.homes = homes;
    this.userOfJob = userOfJob;
  }

  @Override
  public Segment find(String job, String name, int partition) throws IOException {
    if (!name.equals(EngineAddress.NAME)) {
      throw new SegmentUnavailableException(
          Reason.NO_SUCH_OUTPUT, "map output is served by the node's engines");
    }
    String user = userOfJob.apply(job);
    Optional<EngineHome.Address> newest = user == null ? Optional.empty() : newestOf(user);
    if (newest.isEmpty()) {
      throw new SegmentUnavailableException(
          Reason.NO_SUCH_OUTPUT, "no engine of this job's user runs on this node");
    }
    return new Answer(EngineAddress.answer(newest.get().shufflePort()));
  }

  /** An engine that is being drained may run beside its successor, which serves its files too. */
  private Optional<EngineHome.Address> newestOf(String user) throws IOException {
    Optional<EngineHome.Address> newest = Optional.empty();
    FileTime newestTime = null;
    for (Path folder : folders()) {
      try {
        EngineHome home = new EngineHome(folder);
        Optional<EngineHome.Address> address = servingFor(user, home);
        if (address.isPresent()) {
          FileTime made = Files.getLastModifiedTime(home.settings());
          if (newestTime == null || made.compareTo(newestTime) > 0) {
            newest = address;
            newestTime = made;
          }
        }
      } catch (NoSuchFileException e) {
        LOG.debug("{} went while it was looked at", folder, e);
      }
    }
    return newest;
  }

  private List<Path> folders() {
    List<Path> found = new ArrayList<>();
    for (Path disk : homes) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(disk, KIND + "-*")) {
        folders.forEach(found::add);
      } catch (IOException | DirectoryIteratorException e) {
        // made with the first engine; a disk that is lost takes no other with it
        LOG.debug("No engine lives in {}", disk, e);
      }
    }
    return found;
  }

  /** Where each running engine of a user listens; asked when something is to be told to all. */
  List<EngineHome> enginesOf(String user) {
    List<EngineHome> all = new ArrayList<>();
    for (Path folder : folders()) {
      try {
        EngineHome home = new EngineHome(folder);
        if (home.user().equals(user)) {
          all.add(home);
        }
      } catch (IOException e) {
        LOG.debug("{} went while it was looked at", folder, e);
      }
    }
    return all;
  }

  private static Optional<EngineHome.Address> servingFor(String user, EngineHome home)
      throws IOException {
    try {
      if (!home.user().equals(user)) {
        return Optional.empty();
      }
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    return home.address()
        .filter(address -> address.shufflePort() > 0)
        .filter(
            address -> ProcessHandle.of(address.pid()).map(ProcessHandle::isAlive).orElse(false));
  }

  private record Answer(byte[] bytes) implements Segment {

    @Override
    public long rawLength() {
      return bytes.length;
    }

    @Override
    public long partLength() {
      return bytes.length;
    }

    @Override
    public long identity() {
      return 0;
    }

    @Override
    public int flags() {
      return 0;
    }

    @Override
    public void read(long offset, ByteBuffer into) {
      into.put(bytes, (int) offset, (int) Math.min(into.remaining(), bytes.length - offset));
    }

    @Override
    public void close() {}
  }
}
