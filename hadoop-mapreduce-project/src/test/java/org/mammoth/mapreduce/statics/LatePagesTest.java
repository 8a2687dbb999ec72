// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.mapreduce.v2.app.MRAppMaster;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.upstream.LatePages;
import org.mammoth.mapreduce.appmaster.LateWebApp;

/** This Hadoop's service for clients is made as {@link LatePages} knows it. */
class LatePagesTest {

  private static byte[] file(String name) throws IOException {
    try (InputStream in = MRAppMaster.class.getClassLoader().getResourceAsStream(name + ".class")) {
      return in.readAllBytes();
    }
  }

  private static String text(byte[] code) {
    return new String(code, StandardCharsets.ISO_8859_1);
  }

  @Test
  void makesOursInPlaceOfUpstreams() throws IOException {
    String ours = LateWebApp.class.getName().replace('.', '/');
    byte[] original = file(LatePages.SERVICE);
    assertThat(text(original)).doesNotContain(ours);
    assertThat(LatePages.rewrite(original))
        .map(LatePagesTest::text)
        .get()
        .asString()
        .contains(ours);
  }

  @Test
  void aClassThatMakesNoneIsNotKnown() throws IOException {
    assertThat(LatePages.rewrite(file(MRAppMaster.class.getName().replace('.', '/')))).isEmpty();
  }
}
