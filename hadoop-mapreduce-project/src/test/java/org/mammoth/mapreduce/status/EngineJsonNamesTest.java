// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.io.IoClass;
import org.mammoth.engine.memory.BufferKind;
import org.mammoth.engine.memory.MemoryDecision;
import org.mammoth.engine.memory.MemoryRule;

/** The page of the JSON has the names that stand in it. */
class EngineJsonNamesTest {

  private static final Path PAGE = Path.of("..", "docs", "engine-json.md");

  /** The page's tables by their headings: what stands in back quotes in the first column. */
  private static Map<String, List<String>> tables() throws IOException {
    Map<String, List<String>> tables = new LinkedHashMap<>();
    List<String> table = new ArrayList<>();
    for (String line : Files.readAllLines(PAGE)) {
      if (line.startsWith("## ")) {
        table = new ArrayList<>();
        tables.put(line.substring(3), table);
      } else if (line.startsWith("| `")) {
        table.add(line.substring(3, line.indexOf('`', 3)));
      }
    }
    return tables;
  }

  @Test
  void thePageListsExactlyTheNamesThereAre() throws IOException {
    Map<String, List<String>> page = tables();
    assertThat(page).containsEntry("Kinds of buffers", names(BufferKind.values()));
    assertThat(page).containsEntry("Classes of I/O", names(IoClass.values()));
    assertThat(page).containsEntry("Actions", names(MemoryDecision.Action.values()));
    assertThat(page).containsEntry("Rules", names(MemoryRule.values()));
  }

  private static List<String> names(Enum<?>[] constants) {
    return Arrays.stream(constants).map(Enum::name).toList();
  }
}
