// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.classes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes of Java 5 and older stay out of the archive; all other lines stay as they are. */
class ArchiveClassesTest {

  @TempDir private Path temp;

  @Test
  void ofAClassListTheOldOnesGo() throws Exception {
    String ofJava5 = "org/objectweb/asm/MethodVisitor";
    assertThat(ArchiveClasses.isLinked(ofJava5)).as("that library is of Java 5").isFalse();
    String lambda = "@lambda-proxy org/apache/hadoop/util/Shell run ()V";
    String own = ArchiveClasses.class.getName().replace('.', '/');
    List<String> others = List.of(lambda, "java/lang/Object", own, "not/There");
    Path from = temp.resolve("all");
    Path to = temp.resolve("chosen");
    Files.write(from, List.of(others.get(0), ofJava5, others.get(1), others.get(2), others.get(3)));
    ArchiveClasses.main(new String[] {from.toString(), to.toString()});
    assertThat(Files.readAllLines(to)).isEqualTo(others);
  }
}
