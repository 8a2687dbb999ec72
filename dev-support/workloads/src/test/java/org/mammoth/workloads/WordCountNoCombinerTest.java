// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WordCountNoCombinerTest {
  @TempDir Path folder;

  @Test
  void countsWords() throws Exception {
    LocalRun local = new LocalRun(folder);
    local.write("in/one.txt", "to be or not\tto  be\n");
    local.write("in/two.txt", "\nthat is to say\n");
    assertThat(local.run(new WordCountNoCombiner(), local.path("in"), local.path("out"))).isZero();
    assertThat(local.output("out"))
        .isEqualTo("be\t2\nis\t1\nnot\t1\nor\t1\nsay\t1\nthat\t1\nto\t3\n");
  }

  @Test
  void reducesAreAnArgument() throws Exception {
    LocalRun local = new LocalRun(folder);
    local.write("in/one.txt", "a b c d e f g h\n");
    local.run(new WordCountNoCombiner(), local.path("in"), local.path("out"), 3);
    assertThat(local.parts("out")).hasSize(3);
    assertThat(local.output("out").lines()).hasSize(8).allMatch(line -> line.endsWith("\t1"));
  }
}
