// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.File;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.UserLaunch;

/** One container of a MapReduce job seen from its user's engine. Immutable. */
final class LocalizedLaunch implements JobFiles {

  private final ContainerLaunchSpec spec;
  private final ContainerLinks links;
  private final ContainerClassPath classPath;

  /**
   * @param shared the class path of this engine
   */
  LocalizedLaunch(ContainerLaunchSpec spec, UserLaunch launch, SharedClassPath shared) {
    this.spec = spec;
    Map<Path, List<String>> resources = new HashMap<>();
    launch.resources().forEach((path, names) -> resources.put(new Path(path), names));
    links = ContainerLinks.of(resources);
    classPath = new ContainerClassPath(spec.environment(), new File(spec.workDir()), links, shared);
  }

  @Override
  public String containerId() {
    return spec.containerId();
  }

  @Override
  public String user() {
    return spec.user();
  }

  @Override
  public Optional<File> jobFile() {
    return links.target(MRJobConfig.JOB_CONF_FILE);
  }

  @Override
  public ContainerClassPath classPath() {
    return classPath;
  }

  /** Targets by their names in the container's folder. */
  Map<String, File> links() {
    return links.targets();
  }

  /** The launch with what only the user can read. */
  ContainerLaunchSpec completed() {
    Map<String, String> properties = new HashMap<>(spec.properties());
    properties.put("java.class.path", classPath.property());
    return spec.withProgram(spec.arguments(), classPath.entries(), spec.rootLogger())
        .withNodeClassPath(classPath.nodeEntries())
        .withFiles(jobFile().map(File::getPath).orElse(spec.jobFile()), spec.tokensFile())
        .withProperties(properties);
  }
}
