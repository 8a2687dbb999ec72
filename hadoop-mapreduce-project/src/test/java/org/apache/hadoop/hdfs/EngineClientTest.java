// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.InvalidPathHandleException;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.junit.jupiter.api.Test;

/**
 * Whoever opens a file in an engine, and by whatever: its blocks are shared with all others, and
 * {@link EngineInputStream} keeps them open for those.
 */
class EngineClientTest {

  private static final String FILE = "/data/part-0";

  private static final HdfsPathHandle ANY =
      new HdfsPathHandle(FILE, Optional.empty(), Optional.empty());

  /** Its NameNode knows one file, which is empty. */
  private static final class Client extends EngineClient {
    private final ErasureCodingPolicy policy;
    private int asked;

    Client(ErasureCodingPolicy policy) throws IOException {
      super(URI.create("hdfs://localhost:1"), new Configuration(), null);
      this.policy = policy;
    }

    private LocatedBlocks blocks() {
      asked++;
      return new LocatedBlocks(0, false, List.of(), null, true, null, policy);
    }

    @Override
    public LocatedBlocks getLocatedBlocks(String file, long from, long length) {
      assertThat(file).isEqualTo(FILE);
      return blocks();
    }

    @Override
    public HdfsLocatedFileStatus getLocatedFileInfo(String file, boolean token) {
      assertThat(file).isEqualTo(FILE);
      assertThat(token).as("is to read its blocks").isTrue();
      return (HdfsLocatedFileStatus)
          new HdfsFileStatus.Builder().mtime(7).locations(blocks()).build();
    }
  }

  @Test
  void anApplicationMasterHasTheEnginesStream() throws IOException {
    try (Client client = new Client(null);
        DFSInputStream in = client.open(FILE, 4096, true)) {
      assertThat(in).isInstanceOf(EngineInputStream.class);
      assertThat(in.read()).isEqualTo(-1);
      assertThat(client.asked).isEqualTo(1);
    }
  }

  @Test
  void soHasWhoOpensByHandle() throws IOException {
    try (Client client = new Client(null);
        DFSInputStream in = client.open(ANY, 4096, true)) {
      assertThat(in).isInstanceOf(EngineInputStream.class);
      assertThat(in.read()).isEqualTo(-1);
      assertThat(client.asked).isEqualTo(1);
      HdfsPathHandle older = new HdfsPathHandle(FILE, Optional.empty(), Optional.of(6L));
      assertThatThrownBy(() -> client.open(older, 4096, true))
          .isInstanceOf(InvalidPathHandleException.class);
    }
  }

  @Test
  void stripedFilesAreReadAsEver() throws IOException {
    ErasureCodingPolicy policy = SystemErasureCodingPolicies.getPolicies().get(0);
    try (Client client = new Client(policy);
        DFSInputStream one = client.open(FILE, 4096, true);
        DFSInputStream other = client.open(ANY, 4096, true)) {
      assertThat(one).isInstanceOf(DFSStripedInputStream.class);
      assertThat(other).isInstanceOf(DFSStripedInputStream.class);
    }
  }
}
