// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import javax.tools.ToolProvider;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.VIntWritable;
import org.apache.hadoop.io.VLongWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reducer;
import org.apache.hadoop.mapred.Reporter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@link CombinerCode} proves of reducers that a program made up holds when they run. The seed
 * is part of each message; {@code -Dmammoth.reducers.seed} takes it.
 */
class ProvenReducersTest {

  private static final int PROGRAMS = Integer.getInteger("mammoth.reducers.programs", 600);
  private static final int TRIALS = 60;
  private static final String IMPORTS =
      "import java.io.*; import java.util.*; import org.apache.hadoop.io.*;\n"
          + "import org.apache.hadoop.mapred.*;\n";

  private final long seed = Long.getLong("mammoth.reducers.seed", System.nanoTime());
  private final Random random = new Random(seed);

  @TempDir private Path dir;

  private final List<String> sources = new ArrayList<>();
  private final List<Class<?>> reducers = new ArrayList<>();

  @BeforeEach
  void compile() throws Exception {
    StringBuilder all = new StringBuilder(IMPORTS).append("public class Made {\n");
    for (int i = 0; i < PROGRAMS; i++) {
      String source = ReducerPrograms.source("R" + i, random);
      sources.add(source);
      all.append(source).append('\n');
    }
    Path file = Files.writeString(dir.resolve("Made.java"), all.append("}\n"));
    int rc =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-d",
                dir.toString(),
                "-proc:none",
                "-nowarn",
                "-Xlint:none",
                "-cp",
                System.getProperty("java.class.path"),
                file.toString());
    assertThat(rc).as("compiles, seed %d", seed).isZero();
    ClassLoader loader =
        new URLClassLoader(new URL[] {dir.toUri().toURL()}, getClass().getClassLoader());
    for (int i = 0; i < PROGRAMS; i++) {
      reducers.add(loader.loadClass("Made$R" + i));
    }
  }

  @Test
  void foldsWhateverWasFoldedBefore() throws Exception {
    int proven = 0;
    for (int i = 0; i < PROGRAMS; i++) {
      if (!CombinerCode.isExactFold(reducers.get(i))) {
        continue;
      }
      proven++;
      for (int trial = 0; trial < TRIALS; trial++) {
        List<Long> group = numbers();
        List<String> once = reduce(fresh(i), i, "key", group);
        List<Long> partly = combinedAtRandom(i, group);
        List<String> last = reduce(fresh(i), i, "key", partly);
        assertThat(last)
            .as("%s of %s, seed %d:%n%s", partly, group, seed, sources.get(i))
            .isEqualTo(once);
      }
    }
    assertThat(proven).as("proven, seed %d", seed).isGreaterThan(PROGRAMS / 20);
  }

  @Test
  void reducesEachGroupForItself() throws Exception {
    int proven = 0;
    for (int i = 0; i < PROGRAMS; i++) {
      if (!CombinerCode.isOfOneGroup(reducers.get(i))) {
        continue;
      }
      proven++;
      for (int trial = 0; trial < TRIALS; trial++) {
        List<Long> group = numbers();
        Reducer<Text, Writable, Text, Writable> used = fresh(i);
        reduce(used, i, "before", numbers());
        reduce(used, i, "x", numbers());
        List<String> after = reduce(used, i, "key", group);
        assertThat(after)
            .as("%s, seed %d:%n%s", group, seed, sources.get(i))
            .isEqualTo(reduce(fresh(i), i, "key", group));
      }
    }
    assertThat(proven).as("proven, seed %d", seed).isGreaterThan(PROGRAMS / 20);
  }

  /** Small ones, that come again, and the ends of the range. */
  private List<Long> numbers() {
    List<Long> numbers = new ArrayList<>();
    for (int left = 1 + random.nextInt(6); left > 0; left--) {
      int kind = random.nextInt(12);
      numbers.add(
          kind == 0
              ? Long.valueOf(Integer.MIN_VALUE)
              : kind == 1 ? Integer.MAX_VALUE : random.nextInt(9) - 4L);
    }
    return numbers;
  }

  /** In another order, any part of it combined, what that gave again, or nothing at all. */
  private List<Long> combinedAtRandom(int program, List<Long> group) throws Exception {
    List<Long> left = new ArrayList<>(group);
    for (int rounds = random.nextInt(4); rounds > 0; rounds--) {
      Collections.shuffle(left, random);
      int many = 1 + random.nextInt(left.size());
      List<Long> part = left.subList(0, many);
      List<String> combined = reduce(fresh(program), program, "key", part);
      part.clear();
      assertThat(combined).as("%s", sources.get(program)).hasSize(1);
      left.add(Long.parseLong(combined.get(0).substring("key=".length())));
    }
    return left;
  }

  @SuppressWarnings("unchecked")
  private Reducer<Text, Writable, Text, Writable> fresh(int program) throws Exception {
    return (Reducer<Text, Writable, Text, Writable>)
        reducers.get(program).getConstructor().newInstance();
  }

  private Writable number(int program) {
    String source = sources.get(program);
    return source.contains("VIntWritable")
        ? new VIntWritable()
        : source.contains("VLongWritable")
            ? new VLongWritable()
            : source.contains("IntWritable") ? new IntWritable() : new LongWritable();
  }

  private static void set(Writable object, long number) {
    if (object instanceof IntWritable some) {
      some.set((int) number);
    } else if (object instanceof VIntWritable some) {
      some.set((int) number);
    } else if (object instanceof VLongWritable some) {
      some.set(number);
    } else {
      ((LongWritable) object).set(number);
    }
  }

  /** What a reducer writes of a group, as key=number, and what it does to the key besides. */
  private List<String> reduce(
      Reducer<Text, Writable, Text, Writable> reducer, int program, String key, List<Long> group)
      throws IOException {
    Iterator<Long> numbers = new ArrayList<>(group).iterator();
    Writable value = number(program);
    Iterator<Writable> values =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return numbers.hasNext();
          }

          /** The same object each time, as upstream gives it. */
          @Override
          public Writable next() {
            set(value, numbers.next());
            return value;
          }
        };
    List<String> written = new ArrayList<>();
    OutputCollector<Text, Writable> out = (k, v) -> written.add(k + "=" + v);
    Text object = new Text(key);
    try {
      reducer.reduce(object, values, out, Reporter.NULL);
    } catch (NoSuchElementException e) {
      written.add("asks for more than there are");
    }
    if (!object.toString().equals(key)) {
      written.add("makes the key " + object);
    }
    return written;
  }
}
