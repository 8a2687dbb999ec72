// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.generated;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The fields that the engine gives each task for itself, as its own list names them. */
public final class SlotList {
  private static final String RESOURCE = "/org/mammoth/engine/statics/task-statics.txt";

  /** Words of the list that stand before a class and its fields. */
  private static final Set<String> FIELDS = Set.of("copy", "empty", "zero", "init");

  private SlotList() {}

  /** All fields of the list, in its order. */
  public static List<StaticField> read() throws IOException {
    List<StaticField> fields = new ArrayList<>();
    try (InputStream in = SlotList.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IOException(RESOURCE + " is not on the class path");
      }
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        String[] words = line.trim().split("\\s+");
        if (FIELDS.contains(words[0])) {
          for (int i = 2; i < words.length; i++) {
            fields.add(new StaticField(words[1], words[i]));
          }
        }
      }
    }
    return fields;
  }
}
