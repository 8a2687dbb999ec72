// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

import org.mammoth.engine.shuffle.tls.HadoopTls;
import org.mammoth.engine.shuffle.tls.TestStores;

/** A rig whose two sides speak TLS; one key for all of a JVM's tests. */
final class TlsRig {

  private static final class Shared {
    private static final HadoopTls[] SIDES = TestStores.loopback();
  }

  private TlsRig() {}

  static Rig open() {
    Rig rig = new Rig();
    rig.conf.setBoolean("mapreduce.shuffle.ssl.enabled", true);
    rig.serverTls = () -> Shared.SIDES[0];
    rig.clientTls = () -> Shared.SIDES[1];
    return rig;
  }
}
