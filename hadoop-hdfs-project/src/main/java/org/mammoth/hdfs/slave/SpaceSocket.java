// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.slave;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may reach the socket on which room is lent: this DataNode's own user, and where the folder
 * for localized data is another user's, as of a NodeManager, its group. Nobody else.
 */
final class SpaceSocket {

  private static final Logger LOG = LoggerFactory.getLogger(SpaceSocket.class);

  private SpaceSocket() {}

  /**
   * Opens a socket to those who may ask.
   *
   * @param folder for localized data beside the socket; need not be there
   */
  static void open(Path socket, Path folder) throws IOException {
    Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw----"));
    if (!Files.isDirectory(folder)) {
      return;
    }
    GroupPrincipal group = Files.readAttributes(folder, PosixFileAttributes.class).group();
    try {
      Files.getFileAttributeView(socket, PosixFileAttributeView.class).setGroup(group);
    } catch (IOException e) {
      LOG.warn(
          "{} cannot be given to the group {} of {}: its owner is lent no room there unless it is in"
              + " the DataNode's own group. Put the DataNode's user into that group. {}",
          socket,
          group,
          folder,
          e.toString());
    }
  }
}
