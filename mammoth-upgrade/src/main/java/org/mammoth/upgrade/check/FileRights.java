// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Who owns a file and who may do what with it. Immutable.
 *
 * @param owner by its number; 0 is root
 * @param group by its name, or its number where it has none
 * @param mode as chmod takes it, setuid and setgid included
 */
record FileRights(Path path, int owner, String group, int mode) {

  private static final int SETUID = 04000;
  private static final int GROUP_AND_OTHERS_WRITE = 022;
  private static final int OTHERS_WRITE_OR_RUN = 03;
  private static final int GROUP_RUNS = 010;
  private static final int ALL = 07777;

  /**
   * Of the file itself, or of what a link leads to.
   *
   * @throws IOException if it is not there, or nothing may be known of it
   */
  static FileRights of(Path path) throws IOException {
    Map<String, Object> all = Files.readAttributes(path, "unix:uid,group,mode");
    return new FileRights(
        path, (int) all.get("uid"), String.valueOf(all.get("group")), (int) all.get("mode") & ALL);
  }

  boolean isRoots() {
    return owner == 0;
  }

  boolean isSetuid() {
    return (mode & SETUID) != 0;
  }

  boolean isRunByItsGroup() {
    return (mode & GROUP_RUNS) != 0;
  }

  /** Whether those who are neither its owner nor of its group can change or run it. */
  boolean isOpenToOthers() {
    return (mode & OTHERS_WRITE_OR_RUN) != 0;
  }

  /** Whether nobody but root can change it. */
  boolean isOnlyRootsToChange() {
    return isRoots() && (mode & GROUP_AND_OTHERS_WRITE) == 0;
  }

  @Override
  public String toString() {
    return path + " (owner " + owner + ", group " + group + ", mode " + modeText() + ")";
  }

  private String modeText() {
    return String.format("%04o", mode);
  }
}
