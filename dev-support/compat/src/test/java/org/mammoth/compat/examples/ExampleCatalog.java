// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.examples;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.examples.BaileyBorweinPlouffe;
import org.apache.hadoop.examples.DBCountPageView;
import org.apache.hadoop.examples.Join;
import org.apache.hadoop.examples.MultiFileWordCount;
import org.apache.hadoop.examples.QuasiMonteCarlo;
import org.apache.hadoop.examples.RandomTextWriter;
import org.apache.hadoop.examples.RandomWriter;
import org.apache.hadoop.examples.Sort;
import org.apache.hadoop.examples.WordMean;
import org.apache.hadoop.examples.WordStandardDeviation;
import org.apache.hadoop.examples.dancing.DistributedPentomino;
import org.apache.hadoop.examples.pi.DistBbp;
import org.apache.hadoop.examples.terasort.TeraGen;
import org.apache.hadoop.examples.terasort.TeraSort;
import org.apache.hadoop.examples.terasort.TeraValidate;
import org.hsqldb.server.Server;

/**
 * Every program of the example driver that ends by itself and runs a job.
 *
 * <p>Not here: sudoku, which runs no job.
 */
final class ExampleCatalog {
  /** Reaches the tasks with the job, as users bring the drivers of their databases. */
  private static final String DATABASE =
      Path.of(Server.class.getProtectionDomain().getCodeSource().getLocation().getPath())
          .toString();

  private ExampleCatalog() {}

  /** The programs of the short run, longest first: each runs or reads in a way of its own. */
  static List<Example> shortRun() {
    return List.of(
        Example.of("grep", null, "IN/text", "OUT/grep", "o[a-z]+").withNamesOfAnyLength(),
        Example.of(
                "pentomino",
                DistributedPentomino::new,
                "OUT/pentomino",
                "-depth",
                "2",
                "-height",
                "3",
                "-width",
                "20")
            .with("mapreduce.job.maps=3"),
        // Fills its own database with random rows and checks the sum that the job wrote there.
        Example.of("dbcount", DBCountPageView::new, "-libjars", DATABASE)
            .with("mapreduce.job.maps=2")
            .randomOutput()
            .withRandomInput(),
        Example.of("pi", QuasiMonteCarlo::new, "3", "2000").withNamesOfAnyLength(),
        // Drops the configuration it is given, so it needs one on its class path.
        Example.of("wordmedian", null, "IN/text", "OUT/wordmedian"),
        Example.of("multifilewc", MultiFileWordCount::new, "IN/text", "OUT/multifilewc"),
        Example.of("secondarysort", null, "IN/numbers", "OUT/secondarysort"),
        Example.of(
            "join",
            Join::new,
            "-r",
            "2",
            "-inFormat",
            "org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat",
            "-outKey",
            "org.apache.hadoop.io.Text",
            "-joinOp",
            "outer",
            "IN/left",
            "IN/right",
            "OUT/join"),
        Example.of("terasort", TeraSort::new, "IN/tera", "OUT/terasort")
            .with("mapreduce.job.reduces=2"));
  }

  /** The other programs, which add least to what the short run sees. */
  static List<Example> others() {
    return List.of(
        Example.of("bbp", BaileyBorweinPlouffe::new, "1", "16", "3", "OUT/bbp"),
        Example.of("wordcount", null, "IN/text", "OUT/wordcount"),
        Example.of("wordmean", WordMean::new, "IN/text", "OUT/wordmean"),
        Example.of(
            "wordstandarddeviation",
            WordStandardDeviation::new,
            "IN/text",
            "OUT/wordstandarddeviation"),
        Example.of(
            "aggregatewordcount",
            null,
            "IN/text",
            "OUT/aggregatewordcount",
            "2",
            "textinputformat"),
        Example.of(
            "aggregatewordhist", null, "IN/text", "OUT/aggregatewordhist", "2", "textinputformat"),
        Example.of(
            "sort",
            Sort::new,
            "-r",
            "2",
            "-outKey",
            "org.apache.hadoop.io.Text",
            "-outValue",
            "org.apache.hadoop.io.Text",
            "IN/left",
            "OUT/sort"),
        Example.of("teragen", TeraGen::new, "3000", "OUT/teragen").with("mapreduce.job.maps=2"),
        Example.of("teravalidate", TeraValidate::new, "IN/tera", "OUT/teravalidate"),
        Example.of("randomwriter", RandomWriter::new, "OUT/randomwriter")
            .with(
                "mapreduce.randomwriter.mapsperhost=2",
                "mapreduce.randomwriter.bytespermap=20000",
                "mapreduce.randomwriter.totalbytes=40000")
            .randomOutput(),
        Example.of("randomtextwriter", RandomTextWriter::new, "OUT/randomtextwriter")
            .with(
                "mapreduce.randomtextwriter.mapsperhost=2",
                "mapreduce.randomtextwriter.bytespermap=20000",
                "mapreduce.randomtextwriter.totalbytes=40000")
            .randomOutput());
  }

  /** Fourteen jobs of one program: for the long run. */
  static Example distBbp() {
    return Example.of(
            "distbbp", DistBbp::new, "1000", "2", "1", "x", "3", "OUT/distbbp", "LOCAL/distbbp")
        .withNamesOfAnyLength()
        .withTimes("duration=[^\n]*");
  }
}
