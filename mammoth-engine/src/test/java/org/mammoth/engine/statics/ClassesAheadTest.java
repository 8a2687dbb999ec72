// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Engines find ahead of them what they would make themselves. */
class ClassesAheadTest {

  private static final String CHANGED = Configuration.class.getName().replace('.', '/');
  private static final String FASTER = Text.class.getName().replace('.', '/');

  @TempDir private Path temp;

  private static byte[] code(String name) throws IOException {
    try (InputStream in = Text.class.getClassLoader().getResourceAsStream(name + ".class")) {
      return in.readAllBytes();
    }
  }

  private byte[] found(boolean fast, String name) throws IOException {
    Path file = temp.resolve("classes");
    List<String> names =
        List.of(CHANGED, "java/lang/String", "org/mammoth/engine/Ours", "no/Such", FASTER);
    assertThat(ClassesAhead.write(file, fast, names)).isEqualTo(2);
    try (RewrittenClasses classes = RewrittenClasses.open(file)) {
      return classes.find(name, code(name));
    }
  }

  @Test
  void holdsClassesAsAnEngineRewritesThem() throws IOException {
    for (boolean fast : new boolean[] {false, true}) {
      for (String name : List.of(CHANGED, FASTER)) {
        byte[] code = code(name);
        assertThat(found(fast, name)).isEqualTo(StaticsAgent.rewritten(false, name, code, fast));
      }
      assertThat(found(fast, CHANGED)).isNotEqualTo(code(CHANGED));
    }
  }

  @Test
  void saysThatItCannotWrite() {
    assertThatThrownBy(() -> ClassesAhead.write(temp.resolve("no/folder"), false, List.of(CHANGED)))
        .isInstanceOf(IOException.class);
  }
}
