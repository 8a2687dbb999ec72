package org.mammoth.mapreduce.nodemanager;

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
record ClassArchive(Path archive, String jars) {

  private static final Logger LOG = LoggerFactory.getLogger(ClassArchive.class);

  /** Finds the archive, if there is one that can be read. */
  static Optional<ClassArchive> find(Configuration conf) {
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
      return Optional.of(new ClassArchive(archive, Files.readString(list).trim()));
    } catch (IOException e) {
      LOG.warn("Processes start without the class archive of {}", folder, e);
      return Optional.empty();
    }
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
  List<String> options() {
    return List.of(
        "-XX:SharedArchiveFile=" + archive,
        "-Xshare:auto",
        "-Xlog:disable",
        "-Xlog:all=error:stderr");
  }

  /** {@code classPath} with the archive's jars moved to its front. */
  String inFrontOf(String classPath) {
    Set<String> archived = Set.of(jars.split(File.pathSeparator));
    String rest =
        Stream.of(classPath.split(File.pathSeparator))
            .filter(entry -> !archived.contains(entry))
            .collect(Collectors.joining(File.pathSeparator));
    return rest.isEmpty() ? jars : jars + File.pathSeparator + rest;
  }
}
