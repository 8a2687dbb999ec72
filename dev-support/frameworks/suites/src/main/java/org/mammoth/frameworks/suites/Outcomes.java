// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.suites;

import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** What became of each test of a class: passed, failed and of what, aborted or skipped. */
final class Outcomes implements TestExecutionListener {

  /** A test that hangs is one that fails, on stock as well. */
  private static final String TIMEOUT = "60 s";

  private final Runnable progress;
  private final SortedMap<String, String> outcomes = new TreeMap<>();

  private Outcomes(Runnable progress) {
    this.progress = progress;
  }

  /**
   * Runs the tests of a class.
   *
   * @param progress called after each, on any thread
   * @return outcomes by the tests' names
   */
  static SortedMap<String, String> of(String className, Runnable progress) {
    Outcomes outcomes = new Outcomes(progress);
    Launcher launcher =
        LauncherFactory.create(
            LauncherConfig.builder()
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .build());
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(className))
            .configurationParameter("junit.jupiter.execution.timeout.default", TIMEOUT)
            .build();
    try {
      launcher.execute(request, outcomes);
    } catch (RuntimeException | LinkageError e) {
      // A class that needs what the library's build did not have; so it does on both sides.
      outcomes.outcomes.put(className, "NOT LOADED " + root(e).getClass().getName());
      e.printStackTrace();
    }
    return outcomes.outcomes;
  }

  @Override
  public void executionSkipped(TestIdentifier test, String why) {
    note(test, "SKIPPED");
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
      // Many a test fails on both sides; what it fails of must be the same. The log says more.
      String thrown = result.getThrowable().map(of -> " " + of.getClass().getName()).orElse("");
      note(test, result.getStatus().name() + thrown);
      result.getThrowable().ifPresent(Throwable::printStackTrace);
    }
    progress.run();
  }

  private static Throwable root(Throwable thrown) {
    return thrown.getCause() == null ? thrown : root(thrown.getCause());
  }

  private void note(TestIdentifier test, String outcome) {
    outcomes.put(test.getUniqueId().replaceAll("\\s+", " "), outcome);
  }
}
