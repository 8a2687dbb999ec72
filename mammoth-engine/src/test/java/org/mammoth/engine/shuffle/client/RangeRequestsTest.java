// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mammoth.engine.shuffle.wire.Frame;

class RangeRequestsTest {

  private final List<Frame> sent = new ArrayList<>();
  private final ArrayDeque<Runnable> loop = new ArrayDeque<>();
  private final RangeRequests requests = new RangeRequests(sent::add, loop::add);

  private static Frame.Fetch fetch(int stream, String job) {
    return new Frame.Fetch(stream, job, "attempt_m_" + stream, 1, 0, 10, 10, 4096, 0);
  }

  private void runLoop() {
    while (!loop.isEmpty()) {
      loop.poll().run();
    }
  }

  @Test
  void aServerOfVersionOneGetsSingleRequestsAtOnce() {
    requests.add(fetch(1, "job_a"), 1);
    requests.add(fetch(2, "job_a"), 1);
    assertThat(sent).containsExactly(fetch(1, "job_a"), fetch(2, "job_a"));
    runLoop();
    assertThat(sent).hasSize(2);
  }

  @Test
  void whatIsAskedInOneTurnGoesTogetherByJob() {
    requests.add(fetch(1, "job_a"), 2);
    requests.add(fetch(2, "job_b"), 2);
    requests.add(fetch(3, "job_a"), 2);
    assertThat(sent).isEmpty();
    runLoop();
    assertThat(sent)
        .containsExactly(
            new Frame.FetchRanges(List.of(fetch(1, "job_a"), fetch(3, "job_a"))),
            fetch(2, "job_b"));
  }

  @Test
  void whatIsWithdrawnIsNotAskedForAndWhatWasSentIsNotSentAgain() {
    requests.add(fetch(1, "job_a"), 2);
    requests.add(fetch(2, "job_a"), 2);
    assertThat(requests.withdraw(2)).isTrue();
    requests.send();
    assertThat(requests.withdraw(1)).isFalse();
    runLoop();
    assertThat(sent).containsExactly(fetch(1, "job_a"));
  }
}
