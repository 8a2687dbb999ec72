// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.children;

import java.util.List;
import java.util.regex.Pattern;

/**
 * By what the text of a command or a script says that it asks for its parent's number, or signals
 * the process group it is in. In an engine the parent is the engine, and the group is that of all
 * tasks. Who only asks whether a process is alive, or signals one by its number, says nothing of
 * the kind. A text that is taken for one by mistake costs an ordinary container.
 *
 * <p>Time grows with the text's length at worst times a constant, whatever is in it. Stateless,
 * thread-safe.
 */
final class ParentSigns {

  private static final List<Pattern> SIGNS =
      List.of(
          // ps --ppid lists children of its own.
          Pattern.compile("\\bPPID\\b|getppid|(?<!--)\\bppid\\b"),
          Pattern.compile("\\.parents?\\(\\)\\.(?:kill|terminate|send_signal|suspend)\\b"),
          Pattern.compile("killpg|getpg(?:rp|id)|\\bpg(?:id|rp)\\b"),
          Pattern.compile("\\bpkill\\b[^\\n]{0,200}?[ \\t]-(?:g|-pgroup)"),
          // kill -s TERM -- 0; Perl's "kill 0, $pid" only asks.
          Pattern.compile(
              "\\bkill(?:[ \\t]++-{0,2}+\\w*+){0,4}?[ \\t]++[\"']?0(?![\\w.]|[\"']?\\s{0,9}(?:,|=>))"),
          // ["kill", "-9", "0"]
          Pattern.compile(
              "\\bkill[\"'](?:\\s*+,\\s*+[\"']-{0,2}+\\w*+[\"']){0,4}?\\s*+,\\s*+[\"']0[\"']"),
          // The process first, as Python and JavaScript have it; Ruby's and Perl's 0 only asks.
          Pattern.compile("(?<!Process\\.)\\bkill\\s*+\\(\\s*+0\\s*+,(?!\\s*+[$@])"),
          // The signal first, as Perl and Ruby have it.
          Pattern.compile(
              "\\bkill\\b\\s*+\\(?+\\s*+(?:[\"']-?\\w++[\"']\\s*+(?:,|=>)|:\\w++\\s*+,"
                  + "|-?\\d++\\s*+(?:,|=>)|-?[A-Z]++\\s*+=>)\\s*+[\"']?0\\b"));

  private ParentSigns() {}

  /** Whether a text says so. */
  static boolean in(String text) {
    return SIGNS.stream().anyMatch(each -> each.matcher(text).find());
  }
}
