// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.simulation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A trace as text: one job a line, five fields separated by tabs: type, data set, blocks, bytes per
 * block, localized bytes. Empty lines and lines that begin with {@code #} are left out.
 */
public final class TraceFile {

  private TraceFile() {}

  /**
   * @throws IOException naming the line, if one is not a job
   */
  public static List<TraceJob> read(Path file) throws IOException {
    List<TraceJob> jobs = new ArrayList<>();
    try (BufferedReader in = Files.newBufferedReader(file)) {
      int number = 0;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        number++;
        if (!line.isBlank() && !line.startsWith("#")) {
          jobs.add(parse(line, file, number));
        }
      }
    }
    return jobs;
  }

  private static TraceJob parse(String line, Path file, int number) throws IOException {
    String[] fields = line.split("\t");
    try {
      return new TraceJob(
          fields[0],
          fields[1],
          Integer.parseInt(fields[2]),
          Long.parseLong(fields[3]),
          Long.parseLong(fields[4]));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new IOException(
          file
              + ", line "
              + number
              + ": not 'type, data set, blocks, bytes per block, localized bytes' with tabs between"
              + " them: "
              + line,
          e);
    }
  }

  /** Writes jobs in the form {@link #read} reads. */
  public static void write(List<TraceJob> jobs, Path file) throws IOException {
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write("# type\tdata set\tblocks\tbytes per block\tlocalized bytes\n");
      for (TraceJob job : jobs) {
        out.write(
            String.join(
                    "\t",
                    job.type(),
                    job.dataSet(),
                    String.valueOf(job.blocks()),
                    String.valueOf(job.blockBytes()),
                    String.valueOf(job.localizedBytes()))
                + "\n");
      }
    }
  }
}
