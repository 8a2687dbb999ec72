// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upgrade.tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An installation of Apache Hadoop on this node.
 *
 * @param home what {@code HADOOP_HOME} names: absolute, without links
 * @param conf its configuration folder, absolute
 */
public record HadoopTree(Path home, Path conf) {

  private static final Pattern COMMON = Pattern.compile("hadoop-common-(\\d.*?)\\.jar");

  /**
   * A tree.
   *
   * @throws IOException if there is no Hadoop in {@code home}, or no configuration in {@code conf};
   *     the message says which option tells better
   */
  public static HadoopTree at(Path home, Path conf) throws IOException {
    if (!Files.isDirectory(home.resolve("share/hadoop/common"))) {
      throw new IOException(
          "no Hadoop in "
              + home
              + ": there is no share/hadoop/common; --hadoop-home names the folder of an Apache"
              + " installation");
    }
    Path real = home.toRealPath();
    Path settings = conf == null ? real.resolve("etc/hadoop") : conf.toAbsolutePath().normalize();
    if (!Files.isDirectory(settings)) {
      throw new IOException(
          "no configuration folder " + settings + "; --conf-dir names what HADOOP_CONF_DIR does");
    }
    return new HadoopTree(real, settings);
  }

  /** Its version, by the name of its hadoop-common jar; empty if there is none. */
  public Optional<String> version() throws IOException {
    try (Stream<Path> jars = Files.list(home.resolve("share/hadoop/common"))) {
      return jars.map(jar -> COMMON.matcher(jar.getFileName().toString()))
          .filter(Matcher::matches)
          .map(name -> name.group(1))
          .filter(version -> !version.endsWith("-tests"))
          .sorted()
          .findFirst();
    }
  }

  /**
   * What a NodeManager reads of it.
   *
   * @param nodeManager what its process has, whose user need not be this tool's
   */
  public SiteConfig nodeManagerConfig(Variables nodeManager) throws IOException {
    return read(nodeManager, "core-site.xml", "yarn-site.xml");
  }

  /** What a task's job starts from on this node, if this user submits it. */
  public SiteConfig jobConfig() throws IOException {
    return read(Variables.ofThisTool(), "core-site.xml", "yarn-site.xml", "mapred-site.xml");
  }

  /** All site files, of whatever daemon. */
  public SiteConfig siteFiles() throws IOException {
    return read(
        Variables.ofThisTool(),
        "core-site.xml",
        "hdfs-site.xml",
        "yarn-site.xml",
        "mapred-site.xml");
  }

  private SiteConfig read(Variables variables, String... names) throws IOException {
    return SiteConfig.read(
        Stream.of(names).map(conf::resolve).toList(),
        new Variables() {
          @Override
          public String property(String name) {
            return variables.property(name);
          }

          @Override
          public String environment(String name) {
            String value = variables.environment(name);
            return value == null ? exported(name) : value;
          }
        });
  }

  /** What Hadoop's commands put into the environment of their programs. */
  private String exported(String name) {
    return switch (name) {
      case "HADOOP_HOME", "HADOOP_YARN_HOME", "HADOOP_COMMON_HOME", "HADOOP_MAPRED_HOME" ->
          home.toString();
      case "HADOOP_CONF_DIR" -> conf.toString();
      default -> null;
    };
  }

  /** One of its commands, such as {@code yarn}. */
  public Path command(String name) {
    return home.resolve("bin").resolve(name);
  }

  /** The jar of MapReduce's example programs, if it is there. */
  public Optional<Path> examples() throws IOException {
    Path folder = home.resolve("share/hadoop/mapreduce");
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> jars = Files.list(folder)) {
      return jars.filter(
              jar -> jar.getFileName().toString().matches("hadoop-mapreduce-examples-\\d.*\\.jar"))
          .filter(jar -> !jar.getFileName().toString().contains("sources"))
          .findFirst();
    }
  }

  /** The folders in which NodeManagers keep what tasks use. */
  public static List<Path> localDirs(SiteConfig conf) {
    return conf.list("yarn.nodemanager.local-dirs", "${hadoop.tmp.dir}/nm-local-dir").stream()
        .map(text -> text.replaceFirst("^file:/*", "/"))
        .map(text -> Path.of(text).toAbsolutePath().normalize())
        .toList();
  }
}
