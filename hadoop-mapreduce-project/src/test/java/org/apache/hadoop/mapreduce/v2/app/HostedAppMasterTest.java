// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.mapreduce.v2.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.mapreduce.v2.app.commit.CommitterEvent;
import org.apache.hadoop.mapreduce.v2.app.commit.CommitterEventType;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HostedAppMasterTest {

  private final List<String> told = new ArrayList<>();

  /** A job that was killed would begin again if its clean-up could not be done in the host. */
  @ParameterizedTest
  @EnumSource(CommitterEventType.class)
  void whatEndsTheJobIsDoneByThisAttemptOnly(CommitterEventType type) {
    HostedAppMaster master =
        new HostedAppMaster(
            ContainerId.fromString("container_1_0007_01_000001"),
            "localhost",
            1,
            2,
            3,
            () -> {},
            () -> told.add("the last deed"));
    master.committing(new CommitterEvent(type));
    boolean endsTheJob =
        EnumSet.of(CommitterEventType.JOB_COMMIT, CommitterEventType.JOB_ABORT).contains(type);
    assertThat(told).hasSize(endsTheJob ? 1 : 0);
  }
}
