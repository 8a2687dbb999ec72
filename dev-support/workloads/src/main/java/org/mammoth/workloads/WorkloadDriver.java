// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import org.apache.hadoop.util.ProgramDriver;

/**
 * Entry point of the workloads jar: {@code hadoop jar mammoth-workloads.jar <program> <arguments>}.
 *
 * <p>Exit status is the program's own; an unknown or missing program prints the list and gives -1.
 */
public final class WorkloadDriver {
  private WorkloadDriver() {}

  /** Runs the named program and leaves the JVM with its status. */
  public static void main(String[] args) throws Throwable {
    System.exit(run(args));
  }

  static int run(String[] args) throws Throwable {
    ProgramDriver driver = new ProgramDriver();
    driver.addClass(
        "pagerank", PageRank.class, "Ranks the vertices of a graph in a chain of MapReduce jobs.");
    driver.addClass(
        "pagerank-generate",
        PageRankGenerate.class,
        "Writes a power-law graph, the same one for the same seed.");
    driver.addClass(
        "components",
        Components.class,
        "Finds the connected components of a graph in a chain of MapReduce jobs.");
    driver.addClass(
        "kmeans", KMeans.class, "Groups points around centres in a chain of MapReduce jobs.");
    driver.addClass(
        "kmeans-generate",
        KMeansGenerate.class,
        "Writes points around a few centres, the same ones for the same seed.");
    driver.addClass(
        "wordcount-nocombiner",
        WordCountNoCombiner.class,
        "Counts words without a combiner, so that every word is shuffled.");
    driver.addClass(
        "randomtext",
        RandomText.class,
        "Writes random text with Zipf-distributed words, the same text for the same seed.");
    driver.addClass(
        "sequence-check",
        SequenceCheck.class,
        "Counts and checksums the records of sequence files and finds keys out of order.");
    driver.addClass(
        "large-records",
        LargeRecords.class,
        "Maps emit records of hundreds of megabytes, and the reduce checks their bytes.");
    driver.addClass(
        "misbehave", Misbehave.class, "A job whose tasks exit, hang, overflow or leak on purpose.");
    return driver.run(args);
  }
}
