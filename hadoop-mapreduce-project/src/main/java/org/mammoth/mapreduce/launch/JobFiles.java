// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.launch;

import java.io.File;
import java.util.Optional;

/** What has to be known of a container's localized files to decide where it runs. */
public interface JobFiles {

  /** The container that has them. */
  String containerId();

  /** Whose job it is, as YARN knows them. */
  String user();

  /** The localized job.xml. */
  Optional<File> jobFile();

  /** The job's own jars and folders, behind Hadoop's; reads the file system when first asked. */
  ContainerClassPath classPath();
}
