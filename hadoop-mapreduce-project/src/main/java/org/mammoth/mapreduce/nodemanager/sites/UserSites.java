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
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.mammoth.mapreduce.nodemanager.processes.UserProcesses;
import org.mammoth.mapreduce.protocol.EngineHome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Engines that run as their users, with a home of the NodeManager's beside their own. */
public final class UserSites implements EngineSites {

  private static final Logger LOG = LoggerFactory.getLogger(UserSites.class);

  private final String kind;
  private final Configuration conf;
  private final UserProcesses processes;
  private final UserEngineLauncher launcher;
  private final Supplier<String> applications;
  private final List<Path> homes;

  /** A NodeManager that does not recover clears all users' folders when it starts. */
  private final boolean recovers;

  /**
   * @param kind begins the names of the engines' homes
   * @param applications gives out ids for what is no application of YARN's
   * @param homes private folders of the NodeManager, one for each local directory, best first
   */
  public UserSites(
      String kind,
      Configuration conf,
      UserProcesses processes,
      UserEngineLauncher launcher,
      Supplier<String> applications,
      List<Path> homes) {
    this.kind = kind;
    this.conf = conf;
    this.processes = processes;
    this.launcher = launcher;
    this.applications = applications;
    this.homes = homes;
    this.recovers =
        conf.getBoolean(
            YarnConfiguration.NM_RECOVERY_ENABLED, YarnConfiguration.DEFAULT_NM_RECOVERY_ENABLED);
  }

  @Override
  public EngineSite create(String engineId, String user, EngineSizing sizing) {
    return new UserSite(conf, processes, launcher, applications, homes, engineId, user, sizing);
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
      Optional<EnginePlace> place = EnginePlace.in(home.folder());
      if (place.isEmpty()) {
        home.delete();
        return Optional.empty();
      }
      EngineSizing sizing = home.size().map(EngineSizing::of).orElse(whole);
      UserSite site = new UserSite(conf, processes, home, place.get(), sizing);
      boolean alive = site.isAlive();
      if (alive && isAnother(site.pid(), place.get().folder())) {
        site.isGone();
        alive = false;
      }
      if (!alive || !recovers) {
        LOG.info("Engine {} of {} has ended, or is ended", home.engineId(), home.user());
        site.clear();
        return Optional.empty();
      }
      return Optional.of(new Left(home.engineId(), home.user(), sizing, site));
    } catch (IOException e) {
      LOG.warn("The engine of {} is not taken up", home.folder(), e);
      return Optional.empty();
    }
  }

  /** A process id may have been given to another program since; only an engine names its home. */
  private static boolean isAnother(long pid, Path folder) throws IOException {
    Path commandLine = Path.of("/proc", String.valueOf(pid), "cmdline");
    return Files.isReadable(commandLine)
        && !new String(Files.readAllBytes(commandLine), StandardCharsets.UTF_8)
            .contains(folder.toString());
  }
}
