// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.datacache;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Names of files that committers still have to move. */
class OutputPathTest {

  @Test
  void aCommittersFolderIsLeftOut() {
    assertThat(OutputPath.committed("/o/_temporary/1/_temporary/attempt_1_0001_r_0_0/part-r-0"))
        .isEqualTo("/o/part-r-0");
    assertThat(OutputPath.committed("/o/_temporary/1/_temporary/attempt_1_0001_r_0_0/sub/x"))
        .isEqualTo("/o/sub/x");
    assertThat(OutputPath.committed("/o/_temporary/1/task_1_0001_m_0/part-m-0"))
        .isEqualTo("/o/part-m-0");
    assertThat(OutputPath.committed("/o/_temporary/strange/part-m-0")).isEqualTo("/o/part-m-0");
    assertThat(OutputPath.committed("/o/part-m-0")).isEqualTo("/o/part-m-0");
  }

  @Test
  void foldersHoldWhatIsBelowThem() {
    assertThat(OutputPath.folder("/a/b")).isEqualTo("/a");
    assertThat(OutputPath.folder("/a")).isEqualTo("/");
    assertThat(OutputPath.isUnder("/a/b", "/a")).isTrue();
    assertThat(OutputPath.isUnder("/a/b", "/a/")).isTrue();
    assertThat(OutputPath.isUnder("/a", "/a")).isTrue();
    assertThat(OutputPath.isUnder("/ab", "/a")).isFalse();
    assertThat(OutputPath.isUnder("/ab", "/")).isTrue();
    assertThat(Habits.kindOf("/pr/iteration-12/x7")).isEqualTo("/pr/iteration-#/x#");
  }
}
