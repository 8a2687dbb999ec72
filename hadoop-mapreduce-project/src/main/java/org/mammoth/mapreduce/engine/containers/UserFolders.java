// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.containers;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainerLaunch;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.UserLaunch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folders, links, credentials file and script of one container, as upstream's {@code
 * container-executor} and the launch script make them, with the same owners and modes: made by the
 * user in folders that belong to the NodeManager's group. For one thread.
 */
public final class UserFolders {

  private static final Logger LOG = LoggerFactory.getLogger(UserFolders.class);

  private static final String APPLICATION = "rwxr-x---";
  private static final String CONTAINER = "rwx--x---";
  private static final String LOGS = "rwxr-x---";
  private static final String CREDENTIALS = "rw-------";
  private static final String SCRIPT = "rwx------";

  private final ContainerLaunchSpec spec;
  private final UserLaunch launch;
  private final List<Path> made = new ArrayList<>();
  private boolean begun;

  UserFolders(ContainerLaunchSpec spec, UserLaunch launch) {
    this.spec = spec;
    this.launch = launch;
  }

  /** Whether anything may be there now. */
  boolean isBegun() {
    return begun;
  }

  /**
   * Makes all of it.
   *
   * @param links targets by their names in the container's folder
   * @throws IOException if a folder is not there and cannot be made
   */
  void make(Map<String, File> links) throws IOException {
    begun = true;
    for (String application : spec.localDirs()) {
      Path folder = Path.of(application);
      // A disk that is not there takes no other with it.
      if (Files.isDirectory(folder.getParent())) {
        makeFolder(folder, APPLICATION);
        makeFolder(folder.resolve(spec.containerId()), CONTAINER);
      }
    }
    Path workDir = Path.of(spec.workDir());
    makeFolder(workDir.resolve("tmp"), CONTAINER);
    makeLogs();
    makeFile(Path.of(spec.tokensFile()), CREDENTIALS, launch.tokens());
    makeFile(workDir.resolve(ContainerLaunch.CONTAINER_SCRIPT), SCRIPT, launch.script());
    for (Map.Entry<String, File> link : links.entrySet()) {
      makeLink(workDir.resolve(link.getKey()), link.getValue().toPath());
    }
  }

  private void makeFile(Path file, String mode, byte[] content) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(file, mode(mode));
    made.add(file);
    Files.write(file, content);
  }

  private void makeLogs() throws IOException {
    for (String dir : launch.logDirs()) {
      Path folder = Path.of(dir);
      // That of the application belongs into a folder of the NodeManager's, which made it.
      if (Files.isDirectory(folder.getParent())) {
        makeFolder(folder, LOGS);
      }
    }
    if (!Files.isDirectory(Path.of(spec.logDir()))) {
      throw new IOException(spec.logDir() + " is not there, nor the folder that it belongs into");
    }
  }

  private void makeLink(Path link, Path target) throws IOException {
    Files.createDirectories(link.getParent());
    try {
      Files.createSymbolicLink(link, target);
      made.add(link);
    } catch (FileAlreadyExistsException e) {
      LOG.debug("{} is there already", link);
    }
  }

  private void makeFolder(Path folder, String mode) throws IOException {
    try {
      Files.createDirectory(folder, mode(mode));
      made.add(folder);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        throw e;
      }
    }
  }

  private static FileAttribute<?> mode(String mode) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
  }

  /**
   * Removes what it made, but folders of the application and of logs, which others may use by now:
   * the launch script and {@code container-executor} stop at files that are there.
   */
  void remove() {
    for (int i = made.size() - 1; i >= 0; i--) {
      Path each = made.get(i);
      boolean shared =
          spec.localDirs().contains(each.toString()) || launch.logDirs().contains(each.toString());
      if (!shared && !FileUtil.fullyDelete(each.toFile())) {
        LOG.warn("{} of {} could not be removed", each, spec.containerId());
      }
    }
  }
}
