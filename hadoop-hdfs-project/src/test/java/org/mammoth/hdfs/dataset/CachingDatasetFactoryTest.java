// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.junit.jupiter.api.Test;

class CachingDatasetFactoryTest {

  /** As upstream's interface is before Hadoop 3.4.0: no manager of locks. */
  interface DatasetBefore34 {
    void acquireDatasetReadLock();
  }

  @Test
  void onlyADatasetWithALockManagerIsExtended() {
    assertThat(CachingDatasetFactory.fits(FsDatasetSpi.class)).isTrue();
    assertThat(CachingDatasetFactory.fits(DatasetBefore34.class)).isFalse();
  }
}
