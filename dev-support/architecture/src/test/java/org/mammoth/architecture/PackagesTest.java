// SPDX-License-Identifier: Apache-2.0
package org.mammoth.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** How packages of the release may need each other. Nothing that is against a rule is excused. */
class PackagesTest {

  private static final String[] CORES = {"org.mammoth.engine..", "org.mammoth.mpcache.."};

  private static JavaClasses classes;

  /** One slice for each package, bridges in packages of Hadoop's too. */
  private static class ByPackage implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
      return SliceIdentifier.of(javaClass.getPackageName());
    }

    @Override
    public String getDescription() {
      return "packages";
    }
  }

  @BeforeAll
  static void read() {
    classes = new ClassFileImporter().importPackages("org.mammoth", "org.apache.hadoop");
    assertThat(classes.contain("org.apache.hadoop.fs.Path")).as("Hadoop's own classes").isFalse();
    assertThat(classes.size()).as("classes of the release").isGreaterThan(500);
  }

  @Test
  void packagesDoNotNeedEachOtherInACircle() {
    slices().assignedFrom(new ByPackage()).should().beFreeOfCycles().check(classes);
  }

  @Test
  void coresKnowNoDaemon() {
    noClasses()
        .that()
        .resideInAnyPackage(CORES)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.hadoop.mapred..",
            "org.apache.hadoop.mapreduce..",
            "org.apache.hadoop.yarn..",
            "org.apache.hadoop.hdfs..",
            "org.mammoth.mapreduce..",
            "org.mammoth.hdfs..",
            "org.mammoth.console..")
        .check(classes);
  }

  /** With one the JDK does other things, for all tasks of an engine. */
  @Test
  void noneIsOrSetsASecurityManager() {
    noClasses()
        .that()
        .areNotAssignableTo("org.mammoth.engine.isolation.standins.jvm.SecurityCalls")
        .should()
        .beAssignableTo("java.lang.SecurityManager")
        .orShould()
        .callMethod("java.lang.System", "setSecurityManager", "java.lang.SecurityManager")
        .check(classes);
  }

  /** Time comes from outside; those that bring the real one are called clocks here. */
  @Test
  void coresReadNoClockAndDoNotSleep() {
    noClasses()
        .that()
        .resideInAnyPackage(CORES)
        .and()
        .areNotAssignableTo("org.mammoth.engine.shuffle.Scheduler")
        .and()
        .areNotAssignableTo("org.mammoth.mpcache.slave.Pace")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .orShould()
        .callMethod(TimeUnit.class, "sleep", long.class)
        .check(classes);
  }

  /**
   * It may jump. What stands in for a JVM's own notices tells it to tasks, as the JVM does; the
   * times that files were changed at are times of day, and one that is not long ago is not trusted.
   */
  @Test
  void coresReadNoTimeOfDay() {
    noClasses()
        .that()
        .resideInAnyPackage(CORES)
        .and()
        .doNotHaveFullyQualifiedName("org.mammoth.engine.isolation.standins.jvm.HeapNotice")
        .and()
        .doNotHaveFullyQualifiedName("org.mammoth.engine.upstream.ParsedResources")
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(Instant.class, "now")
        .check(classes);
  }

  /** What a handler throws is kept in the stage that is returned, and nobody reads it there. */
  @Test
  void endsOfFuturesAreHandledWhereFailuresAreLogged() {
    DescribedPredicate<JavaMethodCall> handling =
        DescribedPredicate.describe(
            "handle the end of a future",
            call ->
                call.getTargetOwner().isAssignableTo(CompletionStage.class)
                    && call.getName().startsWith("whenComplete"));
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("org.mammoth.engine.concurrent.Outcome")
        .and()
        .doNotHaveFullyQualifiedName("org.mammoth.console.read.Answers")
        .should()
        .callMethodWhere(handling)
        .check(classes);
  }

  /** The first rule finds a circle: of what is all right it would say the same. */
  @Test
  void aCircleWouldBeFound() {
    JavaClasses circle = new ClassFileImporter().importClasses(Here.class, There.class);
    assertThat(
            slices()
                .assignedFrom(new ByClass())
                .should()
                .beFreeOfCycles()
                .evaluate(circle)
                .hasViolation())
        .isTrue();
  }

  private static final class ByClass extends ByPackage {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass javaClass) {
      return SliceIdentifier.of(javaClass.getName());
    }
  }

  private record Here(There there) {}

  private record There(Here here) {}
}
