// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.mammoth.mapreduce.protocol.EngineProtocol;

/**
 * The classes that an engine's answer may be made of. Hadoop's RPC makes an object of any class
 * that an answer names, and an engine that belongs to its user may name what it likes.
 */
final class AnswerClasses extends ClassLoader {

  private static final Set<String> OF_HADOOP =
      Set.of(
          String.class.getName(),
          Text.class.getName(),
          Writable.class.getName(),
          // what a call answers that returns nothing
          "org.apache.hadoop.io.ObjectWritable$NullInstance",
          ProtocolSignature.class.getName());

  private static final String OWN = EngineProtocol.class.getPackageName() + ".";

  private final String ofAdministrator;

  /**
   * @param conf of the RPC client, which may have one class more from its administrator
   */
  AnswerClasses(Configuration conf) {
    super(AnswerClasses.class.getClassLoader());
    ofAdministrator =
        conf.getTrimmed(
            CommonConfigurationKeysPublic.HADOOP_SECURITY_SASL_PROPS_RESOLVER_CLASS, "");
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!OF_HADOOP.contains(name) && !name.startsWith(OWN) && !name.equals(ofAdministrator)) {
      throw new ClassNotFoundException("no answer of an engine has a " + name);
    }
    return super.loadClass(name, resolve);
  }
}
