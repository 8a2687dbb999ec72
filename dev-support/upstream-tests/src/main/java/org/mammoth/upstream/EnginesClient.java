// SPDX-License-Identifier: Apache-2.0
package org.mammoth.upstream;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.mammoth.engine.upstream.OwnObjects;

/** A Java agent: file systems of HDFS make the engine's client, as they do in an engine. */
public final class EnginesClient implements ClassFileTransformer {

  private EnginesClient() {}

  /** Called by the JVM before {@code main}. */
  public static void premain(String options, Instrumentation jvm) {
    jvm.addTransformer(new EnginesClient());
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> again, ProtectionDomain domain, byte[] code) {
    return OwnObjects.HDFS.owner().equals(name)
        ? OwnObjects.HDFS.rewrite(code).orElseThrow()
        : null;
  }
}
