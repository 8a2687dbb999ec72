package org.mammoth.mapreduce.nodemanager;

import java.util.List;

/** Recognises the launch of a MapReduce ApplicationMaster. */
final class AppMasterCommand {

  private static final String MAIN = " org.apache.hadoop.mapreduce.v2.app.MRAppMaster ";

  private AppMasterCommand() {}

  static boolean isMapReduce(List<String> commands) {
    return commands.size() == 1 && commands.get(0).contains(MAIN);
  }
}
