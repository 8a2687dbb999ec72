// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.jobs;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;

/**
 * What one random job is: a pure function of its seed.
 *
 * <p>Constraints that Hadoop itself puts on combinations (a total order partitioner needs writable
 * keys, a sum needs numbers) are met here, so that every plan is a job that must succeed.
 * Immutable.
 */
final class JobPlan {
  static final String SEED = "mammoth.compat.seed";

  /** Whether map output is not compressed, whatever the seed says. */
  static final String PLAIN_MAP_OUTPUT = "mammoth.compat.plain-map-output";

  enum Size {
    EMPTY_FILE,
    NO_FILE,
    TINY,
    SMALL,
    BIG,
    HUGE_RECORD,
    /** Dozens of records in one map, none of which fits an engine's element. */
    HUGE_RECORDS
  }

  enum Input {
    TEXT,
    KEY_VALUE,
    N_LINE,
    COMBINE,
    SEQUENCE,
    SEQUENCE_RECORD,
    SEQUENCE_BLOCK,
    MULTIPLE
  }

  enum Order {
    NATURAL,
    REVERSE,
    COARSE,
    FIELD,
    /** By Hadoop's comparator of another class, to which all keys are bytes. */
    BYTES,
    /** By a comparator that contradicts itself. */
    CONTRARY
  }

  enum Spread {
    HASH,
    MODULO,
    TOTAL_ORDER,
    FIELD
  }

  /** What the reduce, and the combiner if there is one, computes. */
  enum Fold {
    LIST,
    SUM,
    MEAN,
    DISTINCT
  }

  /** How the combiner, if there is one, is written. */
  enum Combining {
    FOLD,
    PLAIN_SUM,
    WATCHFUL
  }

  enum Shape {
    PLAIN,
    CHAIN,
    MULTITHREADED
  }

  enum Output {
    TEXT,
    SEQUENCE,
    SEQUENCE_RECORD,
    SEQUENCE_BLOCK
  }

  /** Codecs; all but Snappy's have a native form, and Zstandard's has no other. */
  enum Codec {
    NONE(""),
    DEFAULT("org.apache.hadoop.io.compress.DefaultCodec"),
    DEFLATE("org.apache.hadoop.io.compress.DeflateCodec"),
    GZIP("org.apache.hadoop.io.compress.GzipCodec"),
    BZIP2("org.apache.hadoop.io.compress.BZip2Codec"),
    SNAPPY("org.apache.hadoop.io.compress.SnappyCodec"),
    ZSTD("org.apache.hadoop.io.compress.ZStandardCodec");

    private final String className;

    Codec(String className) {
      this.className = className;
    }

    String className() {
      return className;
    }
  }

  final long seed;
  final boolean oldApi;
  final Size size;
  final Input input;
  final Codec inputCodec;
  final int files;
  final int reduces;
  final Kind key;
  final Kind value;
  final int distinctKeys;
  final boolean skew;
  final int emits;
  final Order order;
  final boolean grouping;
  final Spread spread;
  final Fold fold;
  final boolean combiner;
  final Combining combining;
  final int minSpills;
  final Shape shape;
  final Codec mapCodec;
  final Output output;
  final Codec outputCodec;
  final boolean multipleOutputs;
  final int sortMb;
  final boolean earlySpill;
  final int sortFactor;
  final boolean classPathFile;
  final boolean tightReduce;

  /** What its containers ask for, in megabytes and virtual cores. */
  final int mapMb;

  final int reduceMb;
  final int mapVcores;
  final int reduceVcores;

  private JobPlan(long seed, boolean plainMapOutput) {
    this.seed = seed;
    Random random = new Random(Mix.of(seed));
    oldApi = random.nextBoolean();
    size = pick(random, Size.values(), 4, 3, 20, 50, 15, 8, 2);
    input =
        outgrowsBuffer()
            ? random.nextBoolean() ? Input.TEXT : Input.SEQUENCE
            : pick(random, Input.values());
    inputCodec = pickInputCodec(random);
    files = 1 + random.nextInt(3);
    reduces = pick(random, new Integer[] {0, 1, 2, 3, 4, 5}, 12, 30, 25, 15, 9, 9);
    distinctKeys = 1 << random.nextInt(12);
    skew = random.nextInt(4) == 0;
    emits = 1 + random.nextInt(2);
    fold = reduces == 0 ? Fold.LIST : pick(random, Fold.values(), 5, 3, 2, 2);
    boolean combines = fold != Fold.LIST && random.nextInt(4) != 0;
    minSpills = 1 + random.nextInt(4);
    shape = pickShape(random);
    // A combiner of the old interface is given too much by stock's buffer.
    boolean endsKnown = !(oldApi && combines);
    key = pickKey(random, endsKnown);
    value = pickValue(random, endsKnown);
    order = pickOrder(random);
    // What it sees together hangs on the order.
    combiner = combines && order != Order.CONTRARY;
    grouping = mayGroup() && random.nextInt(4) == 0;
    spread = pickSpread(random);
    Codec drawn = pick(random, Codec.values(), 6, 2, 1, 2, isLarge() ? 0 : 1, 2, 2);
    mapCodec = plainMapOutput ? Codec.NONE : drawn;
    output = pickOutput(random);
    outputCodec = pickOutputCodec(random);
    multipleOutputs = random.nextInt(6) == 0;
    sortMb = outgrowsBuffer() || random.nextBoolean() ? 1 : 8;
    earlySpill = random.nextBoolean();
    sortFactor = 2 + random.nextInt(9);
    classPathFile = random.nextInt(5) == 0;
    tightReduce = random.nextInt(6) == 0 && mayBeTight();
    mapMb = pick(random, new Integer[] {512, 384, 640, 768, 1024}, 4, 1, 1, 1, 1);
    reduceMb = pick(random, new Integer[] {512, 384, 640, 896, 1024}, 4, 1, 1, 1, 1);
    mapVcores = pick(random, new Integer[] {1, 2, 3}, 4, 1, 1);
    reduceVcores = pick(random, new Integer[] {1, 2, 4}, 4, 1, 1);
    Combining any = pick(random, Combining.values());
    combining = any == Combining.PLAIN_SUM && fold != Fold.SUM ? Combining.WATCHFUL : any;
  }

  static JobPlan of(long seed) {
    return new JobPlan(seed, false);
  }

  static JobPlan of(Configuration conf) {
    return new JobPlan(conf.getLong(SEED, 0), conf.getBoolean(PLAIN_MAP_OUTPUT, false));
  }

  private Codec pickInputCodec(Random random) {
    Codec any = pick(random, Codec.values(), 10, 1, 1, 3, isLarge() ? 0 : 2, 2, 2);
    // Upstream counts the lines of the compressed bytes and then cannot seek to where they begin.
    return input == Input.N_LINE ? Codec.NONE : any;
  }

  private Shape pickShape(Random random) {
    Shape any = pick(random, Shape.values(), 8, 1, 1);
    // Values of a multithreaded mapper come in any order, which only a reduce hides.
    return any == Shape.MULTITHREADED && (reduces == 0 || oldApi) ? Shape.PLAIN : any;
  }

  private Kind pickKey(Random random, boolean endsKnown) {
    Kind any = pick(random, Kind.values(), 6, 2, 2, 1, 2, 1, 1, 3, 1, 1, 1, 1, 3, 1, 2, 3);
    if (any == Kind.REST && !endsKnown) {
      return Kind.BYTES;
    }
    // These copy records with the serializations that the JVM's first job was configured with.
    return shape != Shape.PLAIN && !any.writable() ? Kind.TEXT : any;
  }

  private Kind pickValue(Random random, boolean endsKnown) {
    Kind any = pick(random, Kind.values(), 6, 2, 2, 1, 2, 1, 1, 3, 1, 1, 1, 1, 2, 1, 2, 5);
    if (fold == Fold.SUM) {
      return random.nextBoolean() ? Kind.LONG : Kind.VLONG;
    }
    if (fold == Fold.MEAN) {
      return Kind.TEXT;
    }
    if (hasHugeRecords() && any != Kind.REST) {
      return random.nextBoolean() ? Kind.TEXT : Kind.BYTES;
    }
    if (any == Kind.REST && !endsKnown) {
      return Kind.TEXT;
    }
    return shape != Shape.PLAIN && !any.writable() ? Kind.BYTES : any;
  }

  private Order pickOrder(Random random) {
    Order any = pick(random, Order.values(), 6, 2, 2, 1, 2, size == Size.HUGE_RECORDS ? 9 : 2);
    if (any == Order.BYTES && !key.writable()) {
      return Order.NATURAL;
    }
    if (any == Order.FIELD) {
      // The old API groups by Text's own order, whatever order a sorter left keys of one field in.
      return key == Kind.TEXT && reduces > 0 && !oldApi ? any : Order.NATURAL;
    }
    return any;
  }

  private Spread pickSpread(Random random) {
    Spread any = pick(random, Spread.values(), 5, 2, 2, 1);
    boolean ordered =
        key.writable()
            && key != Kind.NULL
            && key != Kind.BOOLEAN
            && key != Kind.BYTE
            // a sequence file gives a key more than its own bytes
            && key != Kind.REST
            && reduces > 1;
    if (any == Spread.TOTAL_ORDER
        && !(ordered && (order == Order.NATURAL || order == Order.REVERSE))) {
      return Spread.HASH;
    }
    return any == Spread.FIELD && key != Kind.TEXT ? Spread.HASH : any;
  }

  private Codec pickOutputCodec(Random random) {
    Codec any = pick(random, Codec.values(), 6, 1, 1, 1, isLarge() ? 0 : 1, 1, 1);
    return hasLinesInAnyOrder() ? Codec.NONE : any;
  }

  private Output pickOutput(Random random) {
    Output any = pick(random, Output.values(), 4, 1, 1, 2);
    return hasLinesInAnyOrder() ? Output.TEXT : any;
  }

  private static <T> T pick(Random random, T[] from, int... weights) {
    if (weights.length == 0) {
      return from[random.nextInt(from.length)];
    }
    int total = 0;
    for (int weight : weights) {
      total += weight;
    }
    int left = random.nextInt(total);
    for (int i = 0; i < from.length; i++) {
      left -= weights[i];
      if (left < 0) {
        return from[i];
      }
    }
    throw new AssertionError("weights of " + from[0].getClass());
  }

  /**
   * Block size of the input in bytes, a multiple of the checksum's 512; splits follow it in both
   * APIs.
   */
  long blockSize() {
    return switch (size) {
      case BIG -> 4096 * 512;
      case HUGE_RECORDS -> 1 << 27;
      default -> 96 * 512;
    };
  }

  private boolean outgrowsBuffer() {
    return size == Size.BIG || hasHugeRecords();
  }

  /** Whether another comparator may say which keys are one. */
  private boolean mayGroup() {
    return reduces > 0 && order != Order.FIELD && order != Order.CONTRARY;
  }

  /** Of segments that it merges in memory, stock gives a reduce of the old interface too much. */
  private boolean mayBeTight() {
    return !(oldApi && uses(Kind.REST));
  }

  private boolean isLarge() {
    return size == Size.BIG || size == Size.HUGE_RECORDS;
  }

  private boolean hasHugeRecords() {
    return size == Size.HUGE_RECORD || size == Size.HUGE_RECORDS;
  }

  /** Whether the output is the same lines, one for each record, but not in the same order. */
  boolean hasLinesInAnyOrder() {
    return reduces > 0 && order == Order.CONTRARY;
  }

  /** Whether the sort's comparator says of two objects what it says of their bytes. */
  boolean comparesObjectsAlike() {
    // By fields, upstream's does not take a key without the field for its own equal.
    return order != Order.FIELD && order != Order.BYTES;
  }

  /** Whether records are of a type. */
  boolean uses(Kind kind) {
    return key == kind || value == kind;
  }

  /**
   * Whether a reduce's output key can be the key itself: only if all keys of its group are equal.
   */
  boolean keepsKey() {
    return order != Order.COARSE && order != Order.FIELD && !grouping;
  }

  /**
   * Whether the number of spills, and with it all that combiners and merges count, hangs on thread
   * timing in stock too.
   */
  boolean countsHangOnTiming() {
    boolean overflows = sortMb == 1 && outgrowsBuffer();
    return reduces > 0 && (tightReduce || overflows);
  }

  /** Everything a plan uses, by name, so that a run can prove what it has covered. */
  List<String> features() {
    List<String> features = new ArrayList<>();
    features.add(oldApi ? "old-api" : "new-api");
    features.add("size-" + size);
    features.add("input-" + input);
    features.add("input-codec-" + inputCodec);
    features.add("reduces-" + reduces);
    features.add("fold-" + fold);
    features.add("shape-" + shape);
    features.add("key-" + key);
    features.add("value-" + value);
    features.add("output-" + output);
    features.add("output-codec-" + outputCodec);
    if (reduces > 0) {
      features.add("order-" + order);
      features.add("spread-" + spread);
      features.add("map-codec-" + mapCodec);
      features.add(earlySpill ? "spill-early" : "spill-late");
    }
    flag(features, combiner, "combiner");
    flag(features, combiner, "combiner-" + combining);
    flag(features, grouping, "grouping");
    flag(features, hasHugeRecords(), "huge");
    flag(features, hasLinesInAnyOrder(), "any-order");
    flag(features, skew, "skew");
    flag(features, multipleOutputs, "multiple-outputs");
    flag(features, classPathFile, "class-path-file");
    flag(features, tightReduce && reduces > 0, "tight-reduce");
    flag(features, mapMb != 512 || mapVcores != 1, "own-map-containers");
    flag(features, reduces > 0 && (reduceMb != 512 || reduceVcores != 1), "own-reduce-containers");
    return features;
  }

  private static void flag(List<String> features, boolean on, String name) {
    if (on) {
      features.add(name);
    }
  }

  String describe() {
    return "seed="
        + seed
        + " "
        + String.join(" ", features())
        + " files="
        + files
        + " distinct-keys="
        + distinctKeys
        + " emits="
        + emits
        + " min-spills="
        + minSpills
        + " sort-mb="
        + sortMb
        + " sort-factor="
        + sortFactor
        + " containers="
        + mapMb
        + "/"
        + mapVcores
        + ","
        + reduceMb
        + "/"
        + reduceVcores;
  }
}
