// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.parts;

import java.util.ResourceBundle;
import org.mammoth.compat.neighbours.Deed;

/** Loggers of the platform that say nothing. */
public final class MarkLoggers extends System.LoggerFinder {
  private static final class Silent implements System.Logger {
    @Override
    public String getName() {
      return Deed.MARK;
    }

    @Override
    public boolean isLoggable(Level level) {
      return false;
    }

    @Override
    public void log(Level level, ResourceBundle texts, String message, Throwable thrown) {}

    @Override
    public void log(Level level, ResourceBundle texts, String format, Object... parameters) {}
  }

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new Silent();
  }
}
