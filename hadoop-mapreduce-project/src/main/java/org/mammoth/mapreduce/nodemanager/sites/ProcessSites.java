// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Real engines: processes of this node, with a home in the first local directory that takes one.
 */
public final class ProcessSites implements EngineSites {

  private static final Logger LOG = LoggerFactory.getLogger(ProcessSites.class);

  private final String kind;
  private final String role;
  private final Configuration conf;
  private final EngineLauncher launcher;
  private final List<Path> homes;

  /**
   * @param kind begins the names of the engines' homes
   * @param role see {@link EngineLauncher#start}
   * @param homes private folders in which homes are made, one for each local directory, best first
   */
  public ProcessSites(
      String kind, String role, Configuration conf, EngineLauncher launcher, List<Path> homes) {
    this.kind = kind;
    this.role = role;
    this.conf = conf;
    this.launcher = launcher;
    this.homes = homes;
  }

  @Override
  public EngineSite create(String engineId, String user, EngineSizing sizing) {
    return new ProcessSite(conf, homes, engineId, user, role, sizing, launcher);
  }

  @Override
  public List<Left> left(EngineSizing whole) {
    List<Left> found = new ArrayList<>();
    for (Path disk : homes) {
      try (DirectoryStream<Path> folders = Files.newDirectoryStream(disk, kind + "-*")) {
        for (Path folder : folders) {
          find(new EngineHome(folder), whole).ifPresent(found::add);
        }
      } catch (NoSuchFileException e) {
        LOG.debug("No engine has lived in {}", disk, e);
      } catch (IOException | DirectoryIteratorException e) {
        LOG.warn("Engines that lived in {} are not taken up", disk, e);
      }
    }
    return found;
  }

  private Optional<Left> find(EngineHome home, EngineSizing whole) {
    try {
      Optional<EngineHome.Address> address = home.address();
      Optional<ProcessHandle> process = address.flatMap(a -> ProcessHandle.of(a.pid()));
      if (process.isEmpty() || !runsEngine(process.get(), home.folder())) {
        address.ifPresent(known -> endChildren(home, known));
        home.delete();
        return Optional.empty();
      }
      EngineSizing sizing = home.size().map(EngineSizing::of).orElse(whole);
      return Optional.of(
          new Left(
              home.engineId(), home.user(), sizing, new ProcessSite(conf, home, process.get())));
    } catch (IOException e) {
      LOG.warn("The engine of {} is not taken up", home.folder(), e);
      return Optional.empty();
    }
  }

  /** Whatever becomes of that, the home is to go: nobody would try again with better luck. */
  private static void endChildren(EngineHome home, EngineHome.Address address) {
    try {
      ProcessSite.endChildrenOfEarlier(home, address.pid());
    } catch (IOException e) {
      LOG.warn("Engine {} may have left processes of tasks", home.engineId(), e);
    }
  }

  private static boolean runsEngine(ProcessHandle process, Path folder) throws IOException {
    // A process id may have been given to another program since; only ours names its home.
    Path commandLine = Path.of("/proc", String.valueOf(process.pid()), "cmdline");
    return Files.isReadable(commandLine)
        && new String(Files.readAllBytes(commandLine), StandardCharsets.UTF_8)
            .contains(folder.toString());
  }
}
