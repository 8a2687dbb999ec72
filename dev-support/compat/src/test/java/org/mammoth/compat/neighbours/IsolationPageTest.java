// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The documentation's table of hostile programs is made of what the programs say of themselves. To
 * write it anew: {@code -Dmammoth.compat.write.page=true}.
 */
class IsolationPageTest {
  private static final Path PAGE = Path.of("..", "..", "docs", "isolation-tests.md");
  private static final String BEGIN = "<!-- programs: written by IsolationPageTest -->\n";
  private static final String END = "<!-- end -->\n";

  @Test
  void thePageTellsOfAllPrograms() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    String table = table(Program.all());
    if (Boolean.getBoolean("mammoth.compat.write.page")) {
      Files.writeString(PAGE, page.substring(0, begin) + table + page.substring(end));
      return;
    }
    assertThat(page.substring(begin, end)).as(PAGE.toString()).isEqualTo(table);
  }

  private static String table(List<Program> programs) {
    StringBuilder text =
        new StringBuilder("| program | about | what it does | may need a process |\n");
    text.append("|---|---|---|---|\n");
    for (Program program : programs) {
      text.append(
          "| %s | %s | %s | %s |\n"
              .formatted(
                  program.name(),
                  program.about(),
                  program.what(),
                  program.mayNeedProcess() ? "yes" : ""));
    }
    return text.append("\n").append(programs.size()).append(" programs.\n").toString();
  }
}
