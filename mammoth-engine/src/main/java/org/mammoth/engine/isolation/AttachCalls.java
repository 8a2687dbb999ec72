// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;

/**
 * What rewritten code calls instead of the module jdk.attach, which not every JRE has. Stateless.
 */
public final class AttachCalls {
  private AttachCalls() {}

  /** {@code VirtualMachine.attach}. */
  @Replaces(VirtualMachine.class)
  public static VirtualMachine attach(String id) throws AttachNotSupportedException, IOException {
    ProcessNeed.because("VirtualMachine.attach");
    return VirtualMachine.attach(id);
  }
}
