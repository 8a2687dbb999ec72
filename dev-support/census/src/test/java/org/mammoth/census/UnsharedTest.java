// SPDX-License-Identifier: Apache-2.0
package org.mammoth.census;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

class UnsharedTest {

  @TempDir private Path dir;

  private ClassFiles jar(String file, String name, String parent) throws IOException {
    ClassWriter type = new ClassWriter(0);
    type.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name, null, parent, null);
    type.visitEnd();
    Path jar = dir.resolve(file);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new ZipEntry(name + ".class"));
      out.write(type.toByteArray());
    }
    return ClassFiles.ofJars(List.of(jar));
  }

  @Test
  void aJarThatSharedClassesNeedIsSharedOrKnown() throws IOException {
    ClassFiles library = jar("library-1.2.jar", "lib/Base", "java/lang/Object");
    ClassFiles user = jar("user-3.jar", "user/Derived", "lib/Base");
    assertThat(Unshared.faults(user, library, List.of("# none", "another")))
        .singleElement()
        .asString()
        .startsWith("library is not shared, but user.Derived names lib.Base, and 0 more");
    assertThat(Unshared.faults(user, library, List.of("library"))).isEmpty();
    assertThat(Unshared.faults(library, user, List.of())).isEmpty();
  }
}
