// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.ObjectWritable;
import org.apache.hadoop.io.Text;
import org.junit.jupiter.api.Test;

/** Why no protocol of ours answers with a String; the rule itself is RpcProtocolsTest. */
class AnswersTest {

  private static final String LONG = "x".repeat(100_000);

  private static Object sent(Object value) throws Exception {
    Configuration conf = new Configuration(false);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectWritable.writeObject(new DataOutputStream(bytes), value, value.getClass(), conf);
    return ObjectWritable.readObject(
        new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())), conf);
  }

  @Test
  void hadoopCutsAStringOffAndSendsATextWhole() throws Exception {
    assertThat(((String) sent(LONG)).length()).isEqualTo(0xFFFF / 3);
    assertThat(sent(new Text(LONG))).isEqualTo(new Text(LONG));
  }
}
