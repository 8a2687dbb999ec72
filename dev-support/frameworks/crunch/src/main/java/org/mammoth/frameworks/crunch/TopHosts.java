// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.crunch;

import java.net.URI;
import java.util.Locale;
import org.apache.crunch.MapFn;
import org.apache.crunch.PCollection;
import org.apache.crunch.PTable;
import org.apache.crunch.Pair;
import org.apache.crunch.Pipeline;
import org.apache.crunch.PipelineResult;
import org.apache.crunch.fn.Aggregators;
import org.apache.crunch.impl.mr.MRPipeline;
import org.apache.crunch.lib.Distinct;
import org.apache.crunch.lib.Join;
import org.apache.crunch.lib.Sort;
import org.apache.crunch.types.writable.Writables;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/**
 * Visits joined with users, bytes summed by country and by host, hosts in order, and the distinct
 * pairs of country and host: a pipeline that Crunch plans as a chain of jobs.
 */
public final class TopHosts extends Configured implements Tool {

  /** Arguments: VISITS and USERS, text with tabs; OUTPUT, a folder to write. */
  public static void main(String[] args) throws Exception {
    System.exit(ToolRunner.run(new TopHosts(), args));
  }

  @Override
  public int run(String[] args) {
    if (args.length != 3) {
      System.err.println("Usage: TopHosts VISITS USERS OUTPUT");
      return 2;
    }
    Pipeline pipeline = new MRPipeline(TopHosts.class, "crunch top hosts", getConf());
    PCollection<String> visits = pipeline.readTextFile(args[0]);
    PTable<String, String> countries =
        pipeline
            .readTextFile(args[1])
            .parallelDo(
                new Columns(0, 1), Writables.tableOf(Writables.strings(), Writables.strings()));
    PTable<String, String> lines = visits.by(new Column(0), Writables.strings());
    PCollection<Pair<String, String>> joined = Join.join(lines, countries).values();

    PTable<String, Long> byCountry =
        joined
            .parallelDo(
                new CountryBytes(), Writables.tableOf(Writables.strings(), Writables.longs()))
            .groupByKey()
            .combineValues(Aggregators.SUM_LONGS());
    pipeline.writeTextFile(byCountry, args[2] + "/countries");

    PTable<Long, String> byHost =
        joined
            .parallelDo(new HostBytes(), Writables.tableOf(Writables.strings(), Writables.longs()))
            .groupByKey()
            .combineValues(Aggregators.SUM_LONGS())
            .parallelDo(new Swap(), Writables.tableOf(Writables.longs(), Writables.strings()));
    pipeline.writeTextFile(Sort.sort(byHost, Sort.Order.DESCENDING), args[2] + "/hosts");

    PCollection<String> pairs = joined.parallelDo(new CountryHost(), Writables.strings());
    pipeline.writeTextFile(Distinct.distinct(pairs), args[2] + "/pairs");
    PipelineResult result = pipeline.done();
    return result.succeeded() ? 0 : 1;
  }

  private static String column(String line, int number) {
    return line.split("\t")[number];
  }

  private static String host(String line) {
    return URI.create(column(line, 1)).getHost().toLowerCase(Locale.ROOT);
  }

  /** One column of a line. */
  static final class Column extends MapFn<String, String> {
    private final int number;

    Column(int number) {
      this.number = number;
    }

    @Override
    public String map(String line) {
      return column(line, number);
    }
  }

  /** Two columns of a line. */
  static final class Columns extends MapFn<String, Pair<String, String>> {
    private final int first;
    private final int second;

    Columns(int first, int second) {
      this.first = first;
      this.second = second;
    }

    @Override
    public Pair<String, String> map(String line) {
      return Pair.of(column(line, first), column(line, second));
    }
  }

  /** (country, bytes) of a joined visit. */
  static final class CountryBytes extends MapFn<Pair<String, String>, Pair<String, Long>> {
    @Override
    public Pair<String, Long> map(Pair<String, String> visit) {
      return Pair.of(visit.second(), Long.valueOf(column(visit.first(), 3)));
    }
  }

  /** (host, bytes) of a joined visit. */
  static final class HostBytes extends MapFn<Pair<String, String>, Pair<String, Long>> {
    @Override
    public Pair<String, Long> map(Pair<String, String> visit) {
      return Pair.of(host(visit.first()), Long.valueOf(column(visit.first(), 3)));
    }
  }

  /** "country host" of a joined visit. */
  static final class CountryHost extends MapFn<Pair<String, String>, String> {
    @Override
    public String map(Pair<String, String> visit) {
      return visit.second() + "\t" + host(visit.first());
    }
  }

  /** (bytes, host). */
  static final class Swap extends MapFn<Pair<String, Long>, Pair<Long, String>> {
    @Override
    public Pair<Long, String> map(Pair<String, Long> sum) {
      return Pair.of(sum.second(), sum.first());
    }
  }
}
