// SPDX-License-Identifier: Apache-2.0
package org.mammoth.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Hadoop's RPC over Writables cuts a String off after 21,845 letters, with a warning in the log of
 * who sends it: on a cluster that is large enough an answer in JSON is no JSON any more. A Text is
 * sent whole.
 */
class RpcProtocolsTest {

  /**
   * Answers of a word or a sentence. An engine may be older than the NodeManager that took it up,
   * so that they stay as they are.
   */
  private static final Set<String> SHORT =
      Set.of("EngineProtocol.launch", "EngineProtocol.launchAsUser");

  @Test
  void noProtocolAnswersWithAString() {
    List<JavaClass> protocols =
        new ClassFileImporter()
            .importPackages("org.mammoth").stream()
                .filter(JavaClass::isInterface)
                .filter(RpcProtocolsTest::isProtocol)
                .toList();
    assertThat(protocols).extracting(JavaClass::getSimpleName).hasSizeGreaterThanOrEqualTo(4);
    List<String> strings =
        protocols.stream()
            .flatMap(protocol -> protocol.getMethods().stream())
            .filter(method -> method.getRawReturnType().isEquivalentTo(String.class))
            .map(RpcProtocolsTest::name)
            .filter(name -> !SHORT.contains(name))
            .toList();
    assertThat(strings).isEmpty();
  }

  private static boolean isProtocol(JavaClass type) {
    return type.tryGetField("versionID").isPresent()
        || type.isAnnotatedWith("org.apache.hadoop.ipc.ProtocolInfo");
  }

  private static String name(JavaMethod method) {
    return method.getOwner().getSimpleName() + "." + method.getName();
  }
}
