// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.generated;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mammoth.compat.cluster.MiniCluster;
import org.mammoth.compat.cluster.SourceCompiler;

/** Setters are found by their signatures, and every program that is written compiles. */
class GeneratedProgramsTest {
  private static final Path MODULE = Path.of(System.getProperty("mammoth.compat.jobs.classes"));

  private final ProgramWriter writer = new ProgramWriter();

  private static void compile(Map<String, String> sources, Path folder) throws IOException {
    SourceCompiler.compile(sources, List.of(), List.of(MODULE), folder);
  }

  @Test
  void settersOfTheJdk(@TempDir Path folder) throws IOException {
    List<Setter> setters = SetterScan.jdk();
    System.out.println(setters.size() + " setters of the JDK: " + setters);
    assertThat(setters.stream().map(setter -> setter.owner() + "." + setter.name()))
        .contains(
            "java.util.Locale.setDefault",
            "java.util.TimeZone.setDefault",
            "java.net.Authenticator.setDefault",
            "java.security.Security.insertProviderAt",
            "java.sql.DriverManager.registerDriver",
            "java.net.HttpURLConnection.setFollowRedirects");
    Map<String, String> sources = new TreeMap<>(writer.setters(setters));
    sources.putAll(writer.setterLook(setters));
    compile(sources, folder);
  }

  @Test
  void settersOfHadoopAndItsLibraries(@TempDir Path folder) throws IOException {
    List<Setter> setters = SetterScan.jars(MiniCluster.classPath(), SetterScan.OF_TASKS);
    System.out.println(setters.size() + " setters of Hadoop: " + setters);
    assertThat(setters.stream().map(setter -> setter.owner() + "." + setter.name()))
        .contains(
            "org.apache.hadoop.io.WritableName.setName",
            "org.apache.hadoop.conf.Configuration.addDeprecation",
            "org.apache.hadoop.net.NetUtils.addStaticResolution");
    Map<String, String> sources = new TreeMap<>(writer.setters(setters));
    sources.putAll(writer.setterLook(setters));
    compile(sources, folder);
  }

  @Test
  void fields(@TempDir Path folder) throws IOException {
    List<StaticField> fields =
        List.of(
            new StaticField("org.apache.hadoop.fs.FileSystem", "FILE_SYSTEMS_LOADED"),
            new StaticField(
                "org.apache.hadoop.io.compress.CompressionCodecFactory", "CODEC_PROVIDERS"));
    Map<String, String> sources = new TreeMap<>(writer.fields(fields));
    sources.putAll(writer.fieldLook(fields));
    compile(sources, folder);
  }
}
