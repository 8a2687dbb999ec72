// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.children;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What scripts say who would signal their parent or their group, and what says something else. */
@Timeout(60)
class ParentSignsTest {

  private static final int MANY = 64 << 10;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "echo $PPID",
        "os.kill(os.getppid(), 9)",
        "process.kill(process.ppid)",
        "ps -o ppid= $$",
        "psutil.Process().parent().kill()",
        "kill 0",
        "kill  0",
        "kill\t0",
        "kill -9 0",
        "kill -s TERM 0; exit",
        "kill -TERM -- 0",
        "kill -n 15 '0'",
        "trap \"kill 0\" EXIT",
        "trap 'kill -KILL 0' 0",
        "kill -9 -$(ps -o pgid= $BASHPID)",
        "kill -- -$(ps -o pgrp= $$)",
        "pkill -g 0",
        "pkill -TERM -g0 python",
        "pkill --pgroup 0",
        "subprocess.call(['kill', '-9', '0'])",
        "os.killpg(0, signal.SIGTERM)",
        "os.killpg(os.getpgrp(), 15)",
        "os.killpg(os.getpgid(os.getpid()), 9)",
        "os.kill(-os.getpgrp(), 9)",
        "os.kill(0, signal.SIGTERM)",
        "kill( 0 , signum)",
        "process.kill(0, 'SIGTERM')",
        "Process.kill('TERM', 0)",
        "Process.kill(:TERM, 0)",
        "Process.kill(9, 0)",
        "kill 'TERM', 0",
        "kill TERM => 0",
        "kill -15, 0",
        "kill '-KILL', getpgrp(0)"
      })
  void asksForItsParentOrItsGroup(String text) {
    assertThat(ParentSigns.in(text)).isTrue();
    assertThat(ParentSigns.in("#!/bin/sh\nset -e\n  " + text + "\nexit 0\n")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kill -0 $pid",
        "kill -9 1234",
        "kill $pid 2>/dev/null; sleep 0",
        "kill $!\nsleep 0",
        "os.kill(pid, 0)",
        "os.kill(self.pid, signal.SIGTERM)",
        "process.kill(child.pid, 0)",
        "Process.kill(0, pid)",
        "kill 0, $pid",
        "kill(0, $pid)",
        "kill 'TERM', $pid",
        "kill 0.5",
        "ps --ppid $$",
        "pkill -f foo-gui",
        "pkill -P $$",
        "skill 0",
        "exit 0"
      })
  void saysNothingOfThem(String text) {
    assertThat(ParentSigns.in(text)).isFalse();
    assertThat(ParentSigns.in("#!/bin/sh\nset -e\n  " + text + "\nexit 0\n")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"word ", " ", "kill ", "-", "kill  ", "pkill ", "\n", "kill( ", "kill\", "})
  void isFoundInTimeWhateverFollows(String each) {
    assertThat(ParentSigns.in("kill " + each.repeat(MANY / each.length()) + "x")).isFalse();
  }
}
