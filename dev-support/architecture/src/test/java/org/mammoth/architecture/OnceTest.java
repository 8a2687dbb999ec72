// SPDX-License-Identifier: Apache-2.0
package org.mammoth.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What both sides of a wire need is declared once, in mammoth-api: a copy goes out of step without
 * anybody noticing.
 */
class OnceTest {

  private static final Path ROOT = Path.of("..", "..");

  private static JavaClasses classes;

  @BeforeAll
  static void read() {
    classes = new ClassFileImporter().importPackages("org.mammoth");
    assertThat(classes.size()).as("classes of the release").isGreaterThan(500);
  }

  private static boolean isProtocol(JavaClass type) {
    return type.tryGetField("versionID").isPresent()
        || type.isAnnotatedWith("org.apache.hadoop.ipc.ProtocolInfo")
        || type.isAssignableTo("org.apache.hadoop.ipc.VersionedProtocol");
  }

  /** The folder or jar that a class came from: one for each module. */
  private static String module(JavaClass type) {
    String place = type.getSource().orElseThrow().getUri().toString();
    return place.substring(0, place.indexOf(type.getName().replace('.', '/')));
  }

  private static Map<String, Set<String>> modulesByName() {
    Map<String, Set<String>> modules = new HashMap<>();
    for (JavaClass type : classes) {
      if (type.getSimpleName().endsWith("Protocol")) {
        modules.computeIfAbsent(type.getSimpleName(), n -> new TreeSet<>()).add(module(type));
      }
    }
    return modules;
  }

  @Test
  void noProtocolStandsInTwoModules() {
    Map<String, Set<String>> modules = modulesByName();
    assertThat(modules)
        .containsKeys("NodeAdminProtocol", "AdminProtocol", "EngineProtocol", "SlaveProtocol");
    modules.forEach((name, all) -> assertThat(all).as(name).hasSize(1));
  }

  @Test
  void theConsoleHasNoProtocolOfItsOwn() {
    assertThat(classes.stream().filter(type -> module(type).contains("console")))
        .as("classes of the console")
        .hasSizeGreaterThan(100)
        .noneMatch(OnceTest::isProtocol);
    assertThat(
            classes.stream()
                .filter(OnceTest::isProtocol)
                .filter(type -> module(type).contains("mammoth-api")))
        .extracting(JavaClass::getSimpleName)
        .containsExactlyInAnyOrder("NodeAdminProtocol", "AdminProtocol");
  }

  /** The compiler copies constants, so that the command runs without mammoth-api. */
  @Test
  void theUpgradeCommandTakesNamesAndNoClasses() {
    noClasses()
        .that()
        .resideInAPackage("org.mammoth.upgrade..")
        .should()
        .dependOnClassesThat()
        .resideOutsideOfPackages(
            "org.mammoth.upgrade..",
            "org.mammoth.config.names..",
            "java..",
            "javax.xml..",
            "org.w3c.dom..",
            "org.xml.sax..",
            "com.fasterxml.jackson..",
            "picocli..")
        .check(classes);
  }

  /** So that the command has them, and whoever has none of our jars the constants. */
  @Test
  void namesOfKeysArePlainJava() {
    noClasses()
        .that()
        .resideInAPackage("org.mammoth.config.names")
        .should()
        .dependOnClassesThat()
        .resideOutsideOfPackages("org.mammoth.config.names", "java..")
        .check(classes);
  }

  /** Of beans: the value of a constant that two read is looked up, not written again. */
  @Test
  void namesOfBeansStandInTheirClassAlone() throws IOException {
    List<String> again = new ArrayList<>();
    for (Path source : mains()) {
      String text =
          Files.readString(source, StandardCharsets.UTF_8).replaceAll("(?s)/\\*.*?\\*/", "");
      for (String name :
          List.of(
              "name=Engines", "MammothEngines\"", "MpCacheSlave", "MpCacheMaster", "AdminPort\"")) {
        if (text.contains(name)) {
          again.add(source.getFileName() + ": " + name);
        }
      }
    }
    assertThat(again)
        .containsExactlyInAnyOrder(
            "Beans.java: name=Engines",
            "Beans.java: MammothEngines\"",
            "Beans.java: MpCacheSlave",
            "Beans.java: MpCacheMaster",
            "Beans.java: AdminPort\"");
  }

  private static List<Path> mains() throws IOException {
    List<Path> mains = new ArrayList<>();
    for (String module :
        List.of(
            "mammoth-api",
            "console-ui",
            "mammoth-upgrade",
            "hadoop-mapreduce-project",
            "hadoop-hdfs-project")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(mains::add);
      }
    }
    return mains;
  }
}
