// SPDX-License-Identifier: Apache-2.0
package org.mammoth.workloads;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** Runs a tool in Hadoop's LocalJobRunner, all files below one folder. */
final class LocalRun {
  private final Path folder;

  LocalRun(Path folder) {
    this.folder = folder;
  }

  Configuration conf() {
    Configuration conf = new Configuration();
    // The local runner's client sleeps a second between looks at a job of milliseconds.
    conf.setInt("mapreduce.client.progressmonitor.pollinterval", 10);
    conf.set("mapreduce.framework.name", "local");
    conf.set("fs.defaultFS", "file:///");
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    conf.setInt("mapreduce.local.map.tasks.maximum", 2);
    conf.setInt("mapreduce.task.io.sort.mb", 8);
    return conf;
  }

  int run(Tool tool, Configuration conf, Object... args) throws Exception {
    return ToolRunner.run(conf, tool, Stream.of(args).map(Object::toString).toArray(String[]::new));
  }

  int run(Tool tool, Object... args) throws Exception {
    return run(tool, conf(), args);
  }

  Path path(String name) {
    return folder.resolve(name);
  }

  Path write(String name, String text) throws IOException {
    Path file = path(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }

  /** The bytes of all part files, in their order. */
  String output(String name) throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path part : parts(name)) {
      all.append(Files.readString(part, StandardCharsets.UTF_8));
    }
    return all.toString();
  }

  List<Path> parts(String name) throws IOException {
    try (Stream<Path> files = Files.list(path(name))) {
      return files.filter(f -> f.getFileName().toString().startsWith("part-")).sorted().toList();
    }
  }
}
