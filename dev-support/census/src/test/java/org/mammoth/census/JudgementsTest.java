// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.mammoth.census.samples.Shared;

class JudgementsTest {

  private static final Item FIELD =
      new Item("org/acme/Names", "all", "acme-1.2.jar", "java.util.Map", Kind.CHANGED);
  private static final Item OTHER =
      new Item("org/acme/Names$Of", "some", "acme-1.2.jar", "java.util.List", Kind.CONTAINER);
  private static final String REVIEWED = Judgement.fingerprint(List.of(FIELD.id(), OTHER.id()));

  private static Judgements judged(String... lines) {
    return new Judgements(
        List.of(lines), List.of(FIELD, OTHER), new Reach(ClassFiles.ofClasses(List.of())));
  }

  @Test
  void namedFieldsAndRulesJudge() {
    Judgements all =
        judged(
            "# Names of all.",
            "cache org.acme.Names all",
            "constant org.acme.** in acme of java.util.List kind container = "
                + Judgement.fingerprint(List.of(OTHER.id())));
    assertThat(all.faults()).isEmpty();
    assertThat(all.unjudged()).isEmpty();
    assertThat(all.counts(false)).containsEntry(Word.CACHE, 1).containsEntry(Word.CONSTANT, 1);
  }

  @Test
  void anUnclassifiedFieldIsTold() {
    assertThat(judged("# Names of all.", "cache org.acme.Names all").unjudged())
        .containsExactly(OTHER);
  }

  @Test
  void aRuleThatCoversOthersThanWhenItWasReviewedIsAFault() {
    assertThat(judged("# All.", "constant org.acme.** = " + REVIEWED).faults()).isEmpty();
    assertThat(judged("# All.", "constant org.acme.** = 2 00000000").faults())
        .singleElement()
        .asString()
        .contains("line 2", "was reviewed for 2 00000000 and now covers " + REVIEWED)
        .contains("org.acme.Names$Of.some");
  }

  @Test
  void aRuleForAnyHoldsWhateverItCovers() {
    Judgements all = judged("# All.", "constant org.acme.** = any");
    assertThat(all.faults()).isEmpty();
    assertThat(all.unjudged()).isEmpty();
    assertThat(all.updated()).contains("constant org.acme.** = any");
  }

  @Test
  void aRuleThatCoversNothingIsAFault() {
    String nothing = Judgement.fingerprint(List.of());
    assertThat(
            judged(
                    "# All.",
                    "constant org.acme.** = " + REVIEWED,
                    "shared com.acme.** = " + nothing)
                .faults())
        .containsExactly("line 3 (shared com.acme.**) covers nothing: take it out");
  }

  @Test
  void aNameThatIsNoFieldAnyMoreIsAFault() {
    assertThat(judged("# All.", "cache org.acme.Names all gone").faults())
        .singleElement()
        .asString()
        .startsWith("org.acme.Names.gone needs no judgement, or is there no more");
  }

  @Test
  void whatIsJudgedTwiceIsAFault() {
    assertThat(judged("# All.", "cache org.acme.Names all", "shared org.acme.Names all").faults())
        .contains(
            "org.acme.Names.all is judged twice: line 2 (cache org.acme.Names),"
                + " line 3 (shared org.acme.Names)");
  }

  @Test
  void aJudgementWithoutReasonIsAFault() {
    assertThat(judged("# All.", "", "cache org.acme.Names all").faults())
        .containsExactly(
            "line 3 (cache org.acme.Names) has no reason: begin its paragraph with a comment");
  }

  @Test
  void whatIsReachedIsNotUnreached() {
    ClassFiles files = ClassFiles.ofClasses(List.of(Shared.class));
    Item reached = new Item("org/mammoth/census/samples/Shared", "late", "test", "", Kind.WRITTEN);
    Judgements rule =
        new Judgements(List.of("# All.", "unreached ** = 0 0"), List.of(reached), new Reach(files));
    assertThat(rule.unjudged()).containsExactly(reached);
    Judgements named =
        new Judgements(
            List.of("# All.", "unreached org.mammoth.census.samples.Shared late"),
            List.of(reached),
            new Reach(files));
    assertThat(named.faults())
        .singleElement()
        .asString()
        .contains("is said to be unreached", "but is reached");
  }

  @Test
  void updatingRenewsRulesOnly() {
    assertThat(judged("# All.", "constant org.acme.** = 1 1 # a reason", "").updated())
        .containsExactly("# All.", "constant org.acme.** = " + REVIEWED + " # a reason", "");
  }

  @Test
  void anUnknownWordIsRefused() {
    assertThatThrownBy(() -> judged("# All.", "fine org.acme.Names all"))
        .hasMessage("no word of judgement: fine");
  }
}
