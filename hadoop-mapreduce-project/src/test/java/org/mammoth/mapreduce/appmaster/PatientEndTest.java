// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.appmaster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.yarn.api.ApplicationMasterProtocol;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateRequest;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.FinishApplicationMasterResponse;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterRequest;
import org.apache.hadoop.yarn.api.protocolrecords.RegisterApplicationMasterResponse;
import org.junit.jupiter.api.Test;

class PatientEndTest {

  private static final long FIRST_MS = 2;

  private final AtomicInteger questions = new AtomicInteger();
  private final List<Long> pauses = new ArrayList<>();

  /** A ResourceManager that has stored a job's end at a certain time. */
  private final class Storing implements ApplicationMasterProtocol {

    private final long storedMs;

    Storing(long storedMs) {
      this.storedMs = storedMs;
    }

    @Override
    public RegisterApplicationMasterResponse registerApplicationMaster(
        RegisterApplicationMasterRequest request) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FinishApplicationMasterResponse finishApplicationMaster(
        FinishApplicationMasterRequest request) {
      questions.incrementAndGet();
      return FinishApplicationMasterResponse.newInstance(nowMs() >= storedMs);
    }

    @Override
    public AllocateResponse allocate(AllocateRequest request) {
      throw new UnsupportedOperationException();
    }
  }

  private long nowMs() {
    return pauses.stream().mapToLong(Long::longValue).sum();
  }

  private void end(long storedMs) throws Exception {
    PatientEnd manager = new PatientEnd(new Storing(storedMs), FIRST_MS, pauses::add);
    while (!manager.finishApplicationMaster(null).getIsUnregistered()) {
      assertThat(questions.get()).isLessThan(1_000);
    }
  }

  @Test
  void anEndThatIsNotedAtOnceIsAskedForOnce() throws Exception {
    end(0);
    assertThat(questions).hasValue(1);
    assertThat(pauses).isEmpty();
  }

  @Test
  void oneThatIsNotedSoonIsSeenSoon() throws Exception {
    end(5);
    assertThat(pauses).containsExactly(2L, 4L);
  }

  @Test
  void aManagerThatCannotStoreIsAskedOnceASecond() throws Exception {
    end(30_000);
    assertThat(questions.get()).isLessThan(42);
    assertThat(pauses).endsWith(PatientEnd.LONGEST_MS);
  }
}
