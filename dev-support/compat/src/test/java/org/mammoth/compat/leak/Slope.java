// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.leak;

/**
 * An ordinary least squares line through equally spaced samples.
 *
 * @param perSample the slope
 * @param error its standard error
 */
public record Slope(double perSample, double error) {
  /** Two standard errors below the estimate the true slope lies in one case of forty. */
  private static final double CERTAINTY = 2;

  /** Fits the line; at least three samples. */
  public static Slope of(double[] samples) {
    int n = samples.length;
    if (n < 3) {
      throw new IllegalArgumentException("a slope needs 3 samples, there are " + n);
    }
    double meanX = (n - 1) / 2.0;
    double meanY = 0;
    for (double sample : samples) {
      meanY += sample / n;
    }
    double xx = 0;
    double xy = 0;
    for (int x = 0; x < n; x++) {
      xx += (x - meanX) * (x - meanX);
      xy += (x - meanX) * (samples[x] - meanY);
    }
    double slope = xy / xx;
    double residuals = 0;
    for (int x = 0; x < n; x++) {
      double residual = samples[x] - meanY - slope * (x - meanX);
      residuals += residual * residual;
    }
    return new Slope(slope, Math.sqrt(residuals / (n - 2) / xx));
  }

  /** Whether the slope is above a limit beyond the noise of the samples. */
  public boolean surelyAbove(double limit) {
    return perSample - CERTAINTY * error > limit;
  }

  @Override
  public String toString() {
    return String.format("%.3f ± %.3f", perSample, error);
  }
}
