// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mpcache.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A line chart as SVG text: linear axes, a legend, nothing else. */
final class SvgPlot {

  private static final int WIDTH = 640;
  private static final int HEIGHT = 400;
  private static final int LEFT = 64;
  private static final int RIGHT = 150;
  private static final int TOP = 40;
  private static final int BOTTOM = 52;
  // Distinguishable without seeing red and green apart; each line has a dash of its own too.
  private static final String[] COLOURS = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555"};
  private static final String[] DASHES = {"none", "8 4", "2 3", "10 3 2 3", "4 4"};

  private record Series(String name, double[] x, double[] y) {}

  private final String title;
  private final String xLabel;
  private final String yLabel;
  private final List<Series> series = new ArrayList<>();

  SvgPlot(String title, String xLabel, String yLabel) {
    this.title = title;
    this.xLabel = xLabel;
    this.yLabel = yLabel;
  }

  /** Adds a line; at most five. */
  SvgPlot line(String name, double[] x, double[] y) {
    if (x.length != y.length || x.length == 0 || series.size() == COLOURS.length) {
      throw new IllegalArgumentException("'" + name + "' cannot be drawn into '" + title + "'");
    }
    series.add(new Series(name, x.clone(), y.clone()));
    return this;
  }

  /** The chart; y begins at 0. */
  String svg() {
    double xMin = Double.MAX_VALUE;
    double xMax = -Double.MAX_VALUE;
    double yMax = 0;
    for (Series line : series) {
      for (int i = 0; i < line.x.length; i++) {
        xMin = Math.min(xMin, line.x[i]);
        xMax = Math.max(xMax, line.x[i]);
        yMax = Math.max(yMax, line.y[i]);
      }
    }
    double xStep = step(xMax - Math.min(0, xMin));
    double yStep = step(yMax);
    xMin = Math.min(0, xMin);
    xMax = Math.max(xStep, xMax);
    yMax = Math.ceil(yMax / yStep - 1e-9) * yStep;
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"12\">\n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, HEIGHT));
    text(svg, LEFT, 22, "start", "<tspan font-size=\"14\">" + escape(title) + "</tspan>");
    axes(svg, xMin, xMax, xStep, yMax, yStep);
    for (int i = 0; i < series.size(); i++) {
      line(svg, i, xMin, xMax, yMax);
    }
    return svg.append("</svg>\n").toString();
  }

  private void axes(
      StringBuilder svg, double xMin, double xMax, double xStep, double yMax, double yStep) {
    int bottom = HEIGHT - BOTTOM;
    for (int i = 0; i * yStep <= yMax + 1e-9; i++) {
      double y = bottom - (bottom - TOP) * (i * yStep) / yMax;
      svg.append(
          String.format(
              Locale.ROOT, "<path d=\"M%d %.1fH%d\" stroke=\"#ddd\"/>\n", LEFT, y, WIDTH - RIGHT));
      text(svg, LEFT - 6, y + 4, "end", number(i * yStep));
    }
    for (int i = 0; xMin + i * xStep <= xMax + 1e-9; i++) {
      double at = xMin + i * xStep;
      text(svg, x(at, xMin, xMax), bottom + 16, "middle", number(at));
    }
    svg.append(
        String.format(
            "<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"black\"/>\n",
            LEFT, TOP, bottom, WIDTH - RIGHT));
    text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", escape(xLabel));
    svg.append(
        String.format(
            "<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n",
            (TOP + bottom) / 2, escape(yLabel)));
  }

  private void line(StringBuilder svg, int index, double xMin, double xMax, double yMax) {
    Series line = series.get(index);
    int bottom = HEIGHT - BOTTOM;
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < line.x.length; i++) {
      points.append(
          String.format(
              Locale.ROOT,
              "%.1f,%.1f ",
              x(line.x[i], xMin, xMax),
              bottom - (bottom - TOP) * line.y[i] / yMax));
    }
    String stroke =
        String.format(
            "fill=\"none\" stroke=\"%s\" stroke-width=\"2\" stroke-dasharray=\"%s\"",
            COLOURS[index], DASHES[index]);
    svg.append(String.format("<polyline points=\"%s\" %s/>\n", points.toString().trim(), stroke));
    int y = TOP + 12 + 20 * index;
    svg.append(String.format("<path d=\"M%d %dh26\" %s/>\n", WIDTH - RIGHT + 12, y, stroke));
    text(svg, WIDTH - RIGHT + 44, y + 4, "start", escape(line.name));
  }

  private static double x(double value, double xMin, double xMax) {
    return LEFT + (WIDTH - LEFT - RIGHT) * (value - xMin) / (xMax - xMin);
  }

  /** 1, 2 or 5 times a power of ten, such that there are four to ten marks. */
  private static double step(double range) {
    double power = Math.pow(10, Math.floor(Math.log10(Math.max(range, 1e-9))));
    for (double factor : new double[] {0.1, 0.2, 0.5}) {
      if (range / (power * factor) <= 10) {
        return power * factor;
      }
    }
    return power;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value).replaceAll("\\.?0+$", "");
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
            x,
            y,
            anchor,
            text));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
