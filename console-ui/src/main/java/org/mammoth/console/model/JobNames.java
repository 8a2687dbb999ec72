// SPDX-License-Identifier: Apache-2.0
package org.mammoth.console.model;

import java.util.regex.Pattern;

/** Which jobs are runs of one job: those of one user whose names differ in numbers only. */
public final class JobNames {

  /** A UUID, a long hexadecimal number with a digit in it, or a number: a date, a run, a part. */
  private static final Pattern RUN =
      Pattern.compile(
          "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
              + "|\\b(?=[a-fA-F]*\\d)[0-9a-fA-F]{8,}\\b"
              + "|\\d+");

  /** Numbers of one moment, as in 2026-01-31T04:00, are one. */
  private static final Pattern SEVERAL = Pattern.compile("#([-:./_T ]?#)+");

  private JobNames() {}

  /** The name with what differs from run to run replaced by #. */
  public static String masked(String name) {
    return SEVERAL.matcher(RUN.matcher(name).replaceAll("#")).replaceAll("#");
  }

  /** The masked name in a key. */
  public static String ofProgram(String key) {
    return key.substring(key.indexOf('\0') + 1);
  }

  /** The same for all runs of a job, and for no other. */
  static String key(String user, String name) {
    return user + '\0' + masked(name);
  }
}
