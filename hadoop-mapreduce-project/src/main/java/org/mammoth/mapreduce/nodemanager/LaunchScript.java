// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a container's launch script is made of.
 *
 * @param environment its variables
 * @param command what it runs
 */
record LaunchScript(Map<String, String> environment, List<String> command) {

  /**
   * A changed copy, or this one if the change fails.
   *
   * @param what names the change in the log
   * @param change may write to what it gets
   */
  LaunchScript changed(String what, Consumer<LaunchScript> change) {
    return OrStock.of(
        what,
        () -> {
          LaunchScript copy =
              new LaunchScript(new HashMap<>(environment), new ArrayList<>(command));
          change.accept(copy);
          return copy;
        },
        this);
  }
}
