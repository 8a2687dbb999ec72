// SPDX-License-Identifier: Apache-2.0
package org.mammoth.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.KerberosInfo;
import org.junit.jupiter.api.Test;
import org.mammoth.hdfs.rpc.AdminProtocol;
import org.mammoth.mapreduce.protocol.NodeAdminProtocol;

/**
 * What crosses the wire of the two protocols: nodes, commands and consoles of other releases ask by
 * these names, versions and signatures.
 */
class ProtocolsTest {

  private static Stream<String> methods(Class<?> protocol) {
    return Arrays.stream(protocol.getMethods()).map(ProtocolsTest::signature).sorted();
  }

  private static String signature(Method method) {
    return method.getReturnType().getName()
        + " "
        + method.getName()
        + Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList();
  }

  @Test
  void nodesAreAskedAsEver() {
    assertThat(RPC.getProtocolName(NodeAdminProtocol.class))
        .isEqualTo("org.mammoth.mapreduce.protocol.NodeAdminProtocol");
    assertThat(RPC.getProtocolVersion(NodeAdminProtocol.class)).isEqualTo(1);
    assertThat(NodeAdminProtocol.class.getAnnotation(KerberosInfo.class).serverPrincipal())
        .isEqualTo("yarn.nodemanager.principal");
    String text = "org.apache.hadoop.io.Text ";
    assertThat(methods(NodeAdminProtocol.class))
        .containsExactly(
            text + "drain[String]",
            text + "dropCached[String]",
            text + "logs[int]",
            text + "profile[String, int]",
            text + "recycle[String]",
            text + "turn[String, boolean]");
  }

  @Test
  void theCachesMasterIsAskedAsEver() {
    assertThat(RPC.getProtocolName(AdminProtocol.class))
        .isEqualTo("org.mammoth.hdfs.rpc.AdminProtocol");
    assertThat(RPC.getProtocolVersion(AdminProtocol.class)).isEqualTo(1);
    assertThat(AdminProtocol.class.getAnnotation(KerberosInfo.class).serverPrincipal())
        .isEqualTo("dfs.namenode.kerberos.principal");
    String text = "org.apache.hadoop.io.Text ";
    assertThat(methods(AdminProtocol.class))
        .containsExactly(
            text + "dataSets[]",
            text + "evict[String]",
            text + "pin[String, boolean]",
            text + "policy[]",
            text + "report[]",
            text + "trace[]",
            text + "warm[String]");
  }

  @Test
  void pagesAreWhereTheyWere() {
    assertThat(Beans.page(Beans.READINGS, Beans.SNAPSHOT))
        .isEqualTo("/jmx?get=Mammoth:service=NodeManager,name=Engines::Snapshot");
    assertThat(Beans.page(Beans.READINGS, Beans.LATEST_DECISIONS)).endsWith("::LatestDecisions");
    assertThat(Beans.page(Beans.READINGS, Beans.DECISIONS)).endsWith("::Decisions");
    assertThat(Beans.page(Beans.READINGS, Beans.ADMIN_PORT)).endsWith("::AdminPort");
    assertThat(Beans.page(Beans.ENGINES, Beans.STATUS))
        .isEqualTo("/jmx?get=Hadoop:service=NodeManager,name=MammothEngines::Status");
    assertThat(Beans.wholePage("DataNode", Beans.CACHE_SLAVE))
        .isEqualTo("/jmx?qry=Hadoop:service=DataNode,name=MpCacheSlave");
    assertThat(Beans.wholePage("NameNode", Beans.CACHE_MASTER))
        .isEqualTo("/jmx?qry=Hadoop:service=NameNode,name=MpCacheMaster");
  }
}
