// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mammoth.upgrade.node.Command;

/** The archive that is carried to a host: this command and the release it adds. */
public final class Payload implements AutoCloseable {

  private static final String FOLDER = "share/hadoop/mammoth";
  private static final long TAR_S = 120;

  private final Path archive;

  private Payload(Path archive) {
    this.archive = archive;
  }

  /**
   * Packs it into a file of its own.
   *
   * @param base folder of the unpacked add-on or release
   */
  public static Payload of(Path base) throws IOException, InterruptedException {
    List<String> files = new ArrayList<>(List.of("bin/mammoth-upgrade"));
    addFiles(base, FOLDER, files);
    addFiles(base, FOLDER + "/upgrade", files);
    if (files.stream().noneMatch(file -> file.contains("/jackson-databind-"))) {
      // The release has Jackson among Hadoop's jars.
      List<String> common = new ArrayList<>();
      addFiles(base, "share/hadoop/common/lib", common);
      common.stream()
          .filter(file -> file.matches(".*/jackson-(core|databind|annotations)-\\d.*\\.jar"))
          .forEach(files::add);
    }
    Path archive = Files.createTempFile("mammoth-upgrade", ".tar.gz");
    // A run that is interrupted closes nothing.
    archive.toFile().deleteOnExit();
    List<String> words =
        new ArrayList<>(List.of("tar", "-czf", archive.toString(), "-C", base.toString()));
    words.addAll(files);
    Command.Result result = Command.run(words, null, TAR_S);
    if (result.status() != 0) {
      throw new IOException("packing " + base + " failed: " + result.output());
    }
    return new Payload(archive);
  }

  private static void addFiles(Path base, String folder, List<String> files) throws IOException {
    try (Stream<Path> entries = Files.list(base.resolve(folder))) {
      entries
          .filter(Files::isRegularFile)
          .map(file -> base.relativize(file).toString())
          .sorted()
          .forEach(files::add);
    }
  }

  Path archive() {
    return archive;
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(archive);
  }
}
