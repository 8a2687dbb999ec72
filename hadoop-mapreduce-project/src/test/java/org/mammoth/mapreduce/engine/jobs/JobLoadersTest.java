// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What loaders that attempts share have for a class path. */
class JobLoadersTest {

  @TempDir private Path temp;

  @Test
  void linksAreFollowedAndWhatIsGoneIsPassedOver() throws Exception {
    Path jar = Files.createFile(temp.toRealPath().resolve("job.jar"));
    Path link = Files.createSymbolicLink(temp.resolve("link.jar"), jar);
    String gone = temp.resolve("gone.jar").toString();
    assertThat(JobLoaders.withoutLinks(List.of(link.toString(), gone)))
        .containsExactly(jar.toString(), gone);
  }
}
