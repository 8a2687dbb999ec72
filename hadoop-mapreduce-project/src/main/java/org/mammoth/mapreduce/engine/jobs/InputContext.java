// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.util.StringUtils;

/**
 * The caller context of a job's calls, which HDFS sends along with each: upstream's, and the job's
 * input paths, which are the SSD cache's data sets. docs/mpcache.md has the form.
 */
public final class InputContext {

  private static final String INPUT = "mapreduce.input.fileinputformat.inputdir";

  /** Between upstream's context and the paths, in the form that upstream's own parts have. */
  private static final String NAME = ",mpcacheInput:";

  private static final String BETWEEN_PATHS = ";";
  private static final int LONGEST = 1_024;

  private InputContext() {}

  /**
   * A context.
   *
   * @param caller upstream's context, such as {@code mr_attempt_...}
   * @param conf of the job
   */
  public static CallerContext of(String caller, Configuration conf) {
    String paths = paths(conf.get(INPUT, ""));
    boolean named = !paths.isEmpty() && paths.length() <= LONGEST;
    return new CallerContext.Builder(named ? caller + NAME + paths : caller).build();
  }

  private static String paths(String inputs) {
    List<String> named = new ArrayList<>();
    for (String escaped : StringUtils.split(inputs)) {
      String path = path(StringUtils.unEscapeString(escaped));
      if (path.startsWith("/") && path.chars().allMatch(InputContext::isPlain)) {
        named.add(path);
      }
    }
    return String.join(BETWEEN_PATHS, named);
  }

  private static String path(String input) {
    try {
      URI uri = new URI(input);
      String scheme = uri.getScheme();
      return scheme == null || scheme.equals("hdfs") ? String.valueOf(uri.getPath()) : "";
    } catch (URISyntaxException e) {
      // a pattern, or a name with blanks
      return "";
    }
  }

  /** Patterns stand for several paths, and some characters for the context's own structure. */
  private static boolean isPlain(int character) {
    return character > ' ' && character < 0x7f && ",;:=*?{}[]\\^".indexOf(character) < 0;
  }
}
