// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mammoth.census.samples.Remembers;
import org.mammoth.engine.statics.StaticsTable;

class PresenceTest {

  private static List<String> items(Class<?>... classes) {
    return new Presence(ClassFiles.ofClasses(List.of(classes)), StaticsTable.load())
        .items().stream().map(item -> item.name()).toList();
  }

  @Test
  void whatIsRememberedOfClassesThatNoJarHasIsListed() {
    assertThat(items(Remembers.AtOnce.class)).containsExactly("has(com.acme.AtOnce)");
    assertThat(items(Remembers.Later.class, Remembers.Shy.class))
        .containsExactly("has(org.mammoth.census.samples.Remembers$Lacking)");
    assertThat(items(Remembers.Parts.class)).containsExactly("services()");
  }

  @Test
  void whatIsNotRememberedOrIsThereIsNotListed() {
    assertThat(items(Remembers.Forgets.class)).isEmpty();
    assertThat(items(Remembers.Later.class, Remembers.Shy.class, Remembers.Lacking.class))
        .isEmpty();
  }
}
