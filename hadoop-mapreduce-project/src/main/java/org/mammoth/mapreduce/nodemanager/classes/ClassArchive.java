// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.classes;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.config.EngineKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The class-data archive that {@code mammoth cds} made of this release: classes parsed and verified
 * once, which a starting JVM maps instead of loading. The JVM wants the archive's jars first on the
 * class path, in the archive's order and no folder before them.
 *
 * @param archive the archive's file
 * @param jars class path it was made for
 */
public record ClassArchive(Path archive, String jars) {

  private static final Logger LOG = LoggerFactory.getLogger(ClassArchive.class);

  private static final String OWN_JAR = "mammoth-mapreduce-";

  /** Finds the archive, if there is one that can be read. */
  public static Optional<ClassArchive> find(Configuration conf) {
    String folder = folder(conf);
    if (folder == null) {
      return Optional.empty();
    }
    Path archive = Path.of(folder, "client.jsa");
    Path list = Path.of(folder, "client.classpath");
    if (!Files.isReadable(archive) || !Files.isReadable(list)) {
      return Optional.empty();
    }
    try {
      List<String> lines = Files.readAllLines(list);
      if (lines.size() < 2 || !lines.get(1).equals(build(lines.get(0)))) {
        LOG.info(
            "Processes start without the class archive of {}, which was made for other jars: run"
                + " mammoth cds",
            folder);
        return Optional.empty();
      }
      return Optional.of(new ClassArchive(archive, lines.get(0)));
    } catch (IOException e) {
      LOG.warn("Processes start without the class archive of {}", folder, e);
      return Optional.empty();
    }
  }

  /**
   * The digest of the release's jars, which lies beside ours; {@code none} if there is none. The
   * JVM compares sizes and times of jars, but all of one release have one time.
   */
  private static String build(String jars) throws IOException {
    for (String jar : jars.split(File.pathSeparator)) {
      Path path = Path.of(jar);
      Path build = path.resolveSibling("BUILD");
      if (path.getFileName().toString().startsWith(OWN_JAR) && Files.isReadable(build)) {
        return Files.readString(build).trim();
      }
    }
    return "none";
  }

  /** Where it lies, and other files that fit the same jars. */
  public Path folder() {
    return archive.getParent();
  }

  /** The configured folder, else that of the launchers' variables; null if there is neither. */
  private static String folder(Configuration conf) {
    String configured = EngineKeys.CDS_DIR.get(conf);
    if (!configured.isEmpty()) {
      return configured;
    }
    String chosen = System.getenv("MAMMOTH_CDS_DIR");
    String home = System.getenv("HADOOP_HOME");
    return chosen != null || home == null ? chosen : home + "/var/cds";
  }

  /** What the JVM is told; one that finds the archive unfit runs on without a word. */
  public List<String> options() {
    return List.of(
        "-XX:SharedArchiveFile=" + archive,
        "-Xshare:auto",
        "-Xlog:disable",
        "-Xlog:all=error:stderr");
  }

  /** {@code classPath} with the archive's jars moved to its front. */
  public String inFrontOf(String classPath) {
    Set<String> archived = Set.of(jars.split(File.pathSeparator));
    String rest =
        Stream.of(classPath.split(File.pathSeparator))
            .filter(entry -> !archived.contains(entry))
            .collect(Collectors.joining(File.pathSeparator));
    return rest.isEmpty() ? jars : jars + File.pathSeparator + rest;
  }
}
