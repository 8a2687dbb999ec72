// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ChildPipesTest {

  @TempDir private Path folder;

  @Test
  void aChildSeesTheEndAndNothingThatIsHeldBack() throws Exception {
    Path got = folder.resolve("got");
    Process child = new ProcessBuilder("cat").redirectOutput(got.toFile()).start();
    child.getOutputStream().write("half a record".getBytes());
    ChildPipes.close(child);
    assertThat(child.waitFor()).isZero();
    assertThat(got).isEmptyFile();
    assertThatThrownBy(() -> child.getOutputStream().flush()).isInstanceOf(IOException.class);
  }

  @Test
  void noThreadThatWaitsForTheChildIsWaitedFor() throws Exception {
    Process child = new ProcessBuilder("sleep", "300").start();
    Thread writer =
        new Thread(
            () -> {
              try {
                child.getOutputStream().write(new byte[1 << 20]);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    writer.setUncaughtExceptionHandler((thread, broken) -> {});
    writer.start();
    await().until(() -> isInNative(writer));
    ChildPipes.close(child);
    child.destroyForcibly().waitFor();
    writer.join();
  }

  private static boolean isInNative(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length > 0 && stack[0].isNativeMethod();
  }
}
