// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Makes up reducers of whole numbers: sums, maxima, minima and what looks like them. Most lines are
 * those that people write; some are another one that compiles as well, so that each way to be
 * nearly right comes up. The same random numbers make the same programs. One thread at a time.
 */
final class ReducerPrograms {

  private static final int USUAL_OF_TEN = 8;

  private static final String[] CONDITIONS = {"<", ">", "<=", ">=", "==", "!="};

  private static final String[] MORE_LINES = {
    "b = a;",
    "a = b;",
    "a++;",
    "b = v;",
    "a = v;",
    "calls++;",
    "a += calls;",
    "result.set(a);",
    "other.set(b);",
    "a = result.get();",
    "b = other.get();",
    "a = Math.max(a, 0);",
    "a = Math.max(a, b);",
    "b = Math.min(b, v);",
    "b += v;",
    "if (a > 100) { a = 100; }",
    "if (b == 0) { b = a; }",
    "out.collect(key, result);",
    "key.set(\"x\");",
    "report.incrCounter(\"group\", \"calls\", 1);",
    "if (values.hasNext()) { b = values.next().get(); }",
    "if (a == b) { return; }",
    "shared.set(a);",
    "a += shared.get();",
    "a += key.getLength();",
    "b = key.hashCode();",
    "out.collect(new Text(key), new NUMBER(b));",
  };

  private final Random random;
  private final boolean isLong;

  /** Lines that may come in anywhere; none in half of the programs. */
  private final int addLinesOf;

  private ReducerPrograms(Random random) {
    this.random = random;
    isLong = random.nextBoolean();
    addLinesOf = random.nextBoolean() ? Integer.MAX_VALUE : 4 + random.nextInt(8);
  }

  /** The source of a static nested class of that name, for a reducer of the old interface. */
  static String source(String name, Random random) {
    ReducerPrograms program = new ReducerPrograms(random);
    boolean variable = program.random.nextInt(4) == 0;
    String number = (variable ? "V" : "") + (program.isLong ? "LongWritable" : "IntWritable");
    String text =
        String.join(
            "\n",
            "public static class " + name + " extends MapReduceBase",
            "    implements Reducer<Text, NUMBER, Text, NUMBER> {",
            "  private final NUMBER result = new NUMBER();",
            "  private final NUMBER other = " + program.usual("new NUMBER()", "result") + ";",
            "  private static final NUMBER shared = new NUMBER();",
            "  private int calls;",
            "  public void reduce(Text key, Iterator<NUMBER> values,",
            "      OutputCollector<Text, NUMBER> out, Reporter report) throws IOException {",
            program.body(),
            "  }",
            "}");
    return text.replace("NUMBER", number).replace("PRIMITIVE", program.isLong ? "long" : "int");
  }

  private String pick(String... any) {
    return any[random.nextInt(any.length)];
  }

  /** Mostly the first, now and then one of the others. */
  private String usual(String first, String... others) {
    return random.nextInt(10) < USUAL_OF_TEN ? first : pick(others);
  }

  private String body() {
    List<String> lines = new ArrayList<>();
    boolean maximum = random.nextBoolean();
    switch (random.nextInt(7)) {
      case 0:
        lines.add(start("0", "1", "-1", "values.next().get()"));
        loop(lines, usual("a += v;", "a = v + a;", "a -= v;", "a += a;", "a = v - a;", "a += b;"));
        break;
      case 1:
        lines.add(start(limit(maximum), "0", "7", limit(!maximum), "values.next().get()"));
        loop(lines, "a = " + call(maximum) + "(" + usual("a, v", "v, a", "a, b", "v, b") + ");");
        break;
      case 2:
        lines.add(start(limit(maximum), "0", "7", limit(!maximum), "values.next().get()"));
        loop(lines, comparison(maximum));
        break;
      case 3:
        lines.add(start("0"));
        lines.add("result.set(" + usual("0", "1", "a", "values.next().get()") + ");");
        loop(lines, "result.set(" + usual("v + result.get()", "v - result.get()", "v") + ");");
        lines.add(usual("a = result.get();", "a = other.get();"));
        break;
      case 4:
        lines.add(start("values.next().get()", "0"));
        lines.add("if (" + usual("!", "") + "values.hasNext()) {");
        lines.add(
            usual("result.set(a); out.collect(key, result); return;", "a++;", "a = 0;") + "}");
        loop(lines, usual("a += v;", "a = Math.max(a, v);", comparison(maximum)));
        break;
      case 5:
        lines.add(start("values.next().get()"));
        loop(lines, comparison(maximum) + " else { " + pick("b = v;", "b = a;", "a = v;") + " }");
        lines.add(usual("", "a = b;", "a = " + call(maximum) + "(a, b);"));
        break;
      default:
        lines.add(start("0"));
        lines.add("boolean first = true;");
        loop(
            lines,
            "if (first || v " + pick(CONDITIONS) + " a) { a = v; first = " + usual("false", "true"),
            "; }");
        break;
    }
    lines.add("result.set(" + usual("a", "b", "a + 1") + ");");
    lines.add(
        usual(
            "out.collect(key, result);",
            "out.collect(key, new NUMBER(a));",
            "out.collect(key, other);",
            "if (a > 0) { out.collect(key, result); }",
            "if (a > 0) { out.collect(key, result); } else { result.set(b); out.collect(key, result); }",
            "out.collect(key, result); out.collect(key, result);"));
    return String.join("\n", lines);
  }

  private String start(String usual, String... others) {
    String begin = others.length == 0 ? usual : usual(usual, others);
    return "PRIMITIVE a = " + begin + ";\nPRIMITIVE b = " + pick("0", "a", "1") + ";\n";
  }

  private String limit(boolean maximum) {
    return (isLong ? "Long." : "Integer.") + (maximum ? "MIN_VALUE" : "MAX_VALUE");
  }

  private String call(boolean maximum) {
    String other = maximum ? "Math.min" : "Math.max";
    return usual(maximum ? "Math.max" : "Math.min", other);
  }

  private String comparison(boolean maximum) {
    String relation = usual(maximum ? ">" : "<", CONDITIONS);
    return "if (v " + relation + " " + usual("a", "b", "0") + ") { " + usual("a", "b") + " = v; }";
  }

  private void loop(List<String> lines, String... inside) {
    addMaybe(lines, false);
    lines.add("while (values.hasNext()) { PRIMITIVE v = values.next().get();");
    addMaybe(lines, true);
    lines.add(String.join("", inside));
    addMaybe(lines, true);
    lines.add(
        usual("}", "break; }", "if (v == 3) { break; } }", "if (v == 3) { continue; } a++; }"));
    addMaybe(lines, false);
  }

  private void addMaybe(List<String> lines, boolean inLoop) {
    if (addLinesOf != Integer.MAX_VALUE && random.nextInt(addLinesOf) < 2) {
      String line = pick(MORE_LINES);
      lines.add(inLoop ? line : line.replace("v;", "a;").replace(", v)", ", a)"));
    }
  }
}
