// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.ForkJoinPool;
import javax.security.auth.Subject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CommonPoolThreadsTest {

  @Test
  @SuppressWarnings({"removal", "deprecation"})
  void haveNothingOfTheThreadThatMakesThemNecessary() {
    InheritableThreadLocal<String> own = new InheritableThreadLocal<>();
    own.set("the first task's");
    ForkJoinPool pool = new ForkJoinPool(1, new CommonPoolThreads(), null, false);
    try {
      PrivilegedAction<String> asks =
          () ->
              pool.submit(() -> own.get() + " " + Subject.getSubject(AccessController.getContext()))
                  .join();
      assertThat(Subject.doAs(new Subject(), asks)).isEqualTo("null null");
    } finally {
      own.remove();
      pool.shutdown();
    }
  }
}
