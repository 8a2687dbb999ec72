// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Columns that are as wide as what they hold; numbers, which begin with a digit, to the right. */
final class TextTable {

  private static final String GAP = "  ";

  private final List<String> heads;
  private final List<List<String>> rows = new ArrayList<>();

  TextTable(String... heads) {
    this.heads = List.of(heads);
  }

  /** Adds a row of as many cells as there are columns. */
  void row(Object... cells) {
    if (cells.length != heads.size()) {
      throw new IllegalArgumentException(cells.length + " cells for columns " + heads);
    }
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      String text = String.valueOf(cell);
      row.add(text.isEmpty() ? "-" : text);
    }
    rows.add(row);
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** Prints heads and rows, each line behind {@code indent}; nothing if there are no rows. */
  void print(PrintWriter out, String indent) {
    if (rows.isEmpty()) {
      return;
    }
    boolean[] right = new boolean[heads.size()];
    int[] widths = new int[heads.size()];
    for (int column = 0; column < widths.length; column++) {
      int at = column;
      right[column] = rows.stream().map(row -> row.get(at)).allMatch(TextTable::isNumber);
      widths[column] =
          Math.max(
              heads.get(column).length(),
              rows.stream().mapToInt(row -> row.get(at).length()).max().orElse(0));
    }
    print(out, indent, heads, widths, right);
    rows.forEach(row -> print(out, indent, row, widths, right));
  }

  private static boolean isNumber(String cell) {
    return cell.equals("-") || Character.isDigit(cell.charAt(0));
  }

  private static void print(
      PrintWriter out, String indent, List<String> cells, int[] widths, boolean[] right) {
    StringBuilder line = new StringBuilder(indent);
    for (int column = 0; column < widths.length; column++) {
      String cell = cells.get(column);
      String padding = " ".repeat(widths[column] - cell.length());
      line.append(column == 0 ? "" : GAP).append(right[column] ? padding + cell : cell + padding);
    }
    out.println(line.toString().stripTrailing());
  }
}
