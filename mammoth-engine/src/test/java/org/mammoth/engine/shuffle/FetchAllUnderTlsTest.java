// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.shuffle;

/** {@link FetchAllTest} where both sides speak TLS. */
class FetchAllUnderTlsTest extends FetchAllTest {

  @Override
  Rig rig() {
    return TlsRig.open();
  }
}
