// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.tool;

import java.io.PrintWriter;
import org.apache.hadoop.conf.Configuration;

/** Runs command lines in this process. */
public final class CommandRunner {

  private CommandRunner() {}

  /** Exit status of a command line. */
  public static int run(Configuration conf, String[] args, PrintWriter out, PrintWriter err) {
    return MpCacheCommand.run(conf, args, out, err);
  }
}
