// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

/** {@link FetchTest} where both sides speak TLS. */
class FetchUnderTlsTest extends FetchTest {

  @Override
  Rig rig() {
    return TlsRig.open();
  }

  /** Not here: it reckons with the place of each byte on the wire. */
  @Override
  void anEndThatNeverComesIsWaitedForNoLongerThanData() {}
}
