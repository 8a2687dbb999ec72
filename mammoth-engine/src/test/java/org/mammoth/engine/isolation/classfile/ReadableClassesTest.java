// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.classfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.isolation.rewrite.CallRewriter;

class ReadableClassesTest {

  private static final int HERE = Runtime.version().feature();

  @Test
  void asmReadsWhatThisJvmLoadsAndNotEverything() {
    for (int java = 8; java <= HERE; java++) {
      assertThat(ReadableClasses.ofJava(java)).as("Java " + java).isTrue();
    }
    assertThat(ReadableClasses.ofJava(500)).isFalse();
  }

  @Test
  void whatIsNewerThanTheJvmIsLeftToItsOwnWords() throws IOException {
    byte[] code;
    try (InputStream in = getClass().getResourceAsStream("ReadableClassesTest.class")) {
      code = in.readAllBytes();
    }
    assertThat(ReadableClasses.areLoadedHere(code)).isTrue();
    assertThat(ReadableClasses.areLoadedHere(ReadableClasses.as(HERE, code))).isTrue();
    byte[] later = ReadableClasses.as(500, code);
    assertThat(ReadableClasses.areLoadedHere(later)).isFalse();
    assertThat(CallRewriter.standard().rewrite(later)).isSameAs(later);
  }
}
