// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.standins.Replaces;

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
