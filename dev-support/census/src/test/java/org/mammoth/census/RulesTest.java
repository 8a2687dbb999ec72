// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.mammoth.census.samples.Shared;

class RulesTest {

  private static final Map<String, Kind> KINDS = new HashMap<>();

  @BeforeAll
  static void readSamples() {
    ClassFiles files =
        ClassFiles.ofClasses(
            List.of(
                Shared.class,
                Shared.Mutable.class,
                Shared.Fixed.class,
                Shared.Loose.class,
                Shared.Tight.class));
    Hierarchy hierarchy = new Hierarchy(files);
    Uses uses = new Uses(files, hierarchy);
    for (Item item : new Rules(files, hierarchy, uses, f -> f.name().equals("NAME")).fields()) {
      String type = item.className().replaceFirst(".*[.$]", "");
      KINDS.put(type + "." + item.name(), item.kind());
    }
  }

  @Test
  void whatCannotChangeNeedsNoJudgement() {
    assertThat(KINDS)
        .containsEntry("Shared.FIXED", Kind.IMMUTABLE)
        .containsEntry("Shared.FIXED_AS_OBJECT", Kind.IMMUTABLE)
        .containsEntry("Shared.LOCK", Kind.LOCK)
        .containsEntry("Shared.LAMBDA", Kind.LAMBDA)
        .containsEntry("Shared.NONE", Kind.CONSTANT)
        .containsEntry("Shared.never", Kind.CONSTANT)
        .containsEntry("Tight.ONE", Kind.ENUM)
        .containsEntry("Tight.$VALUES", Kind.COMPILED);
  }

  @Test
  void fieldsOfTheTableArePerTask() {
    assertThat(KINDS).containsEntry("Shared.NAME", Kind.PER_TASK);
  }

  @Test
  void whatMayChangeMustBeJudged() {
    assertThat(KINDS)
        .containsEntry("Shared.late", Kind.WRITTEN)
        .containsEntry("Shared.assignable", Kind.ASSIGNABLE)
        .containsEntry("Shared.MUTABLE", Kind.OBJECT)
        .containsEntry("Loose.ONE", Kind.OBJECT)
        .containsEntry("Shared.LOCAL", Kind.THREAD_LOCAL)
        .containsEntry("Shared.LIST", Kind.UNCHANGEABLE)
        .containsEntry("Shared.WRAPPED", Kind.UNCHANGEABLE)
        .containsEntry("Shared.TABLE", Kind.CONTAINER);
  }

  @Test
  void containersThatMethodsChangeAreTold() {
    assertThat(KINDS)
        .containsEntry("Shared.FILLED", Kind.CHANGED)
        .containsEntry("Shared.COUNTER", Kind.CHANGED)
        .containsEntry("Shared.CELLS", Kind.CHANGED);
  }
}
