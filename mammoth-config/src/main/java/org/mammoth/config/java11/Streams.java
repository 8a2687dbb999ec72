// SPDX-License-Identifier: Apache-2.0
package org.mammoth.config.java11;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** What streams learned after Java 11. Stateless. */
public final class Streams {

  private Streams() {}

  /** As {@code Stream.toList} of Java 16: nobody may change the list, and null may be in it. */
  @SuppressWarnings("unchecked")
  public static <T> List<T> toList(Stream<T> stream) {
    return (List<T>) Collections.unmodifiableList(Arrays.asList(stream.toArray()));
  }
}
