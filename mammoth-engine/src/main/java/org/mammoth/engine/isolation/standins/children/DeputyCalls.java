// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.children;

import java.beans.Expression;
import java.beans.Statement;
import java.beans.XMLDecoder;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import javax.management.MBeanServer;
import jdk.dynalink.DynamicLinkerFactory;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.standins.Precedes;

/**
 * What rewritten code calls before it has the JDK itself look up what to call: the JDK's code is
 * not rewritten, and would call the engine's JVM. What the JDK calls by {@code
 * sun.reflect.misc.Trampoline} needs none of this ({@code MadeClasses}). Stateless, thread-safe.
 */
public final class DeputyCalls {
  private static final String RESOLVE = "resolveConstantDesc";

  private DeputyCalls() {}

  /**
   * Before a linker of a dynamic language is made, which finds methods for its program by the JDK's
   * own code.
   */
  @Precedes(value = DynamicLinkerFactory.class, names = "createLinker")
  public static void linker() {
    ProcessNeed.because("DynamicLinkerFactory.createLinker");
  }

  /** Before the JDK makes the objects that a document names. */
  @Precedes(value = XMLDecoder.class, names = "readObject")
  public static void decoder() {
    ProcessNeed.because("XMLDecoder.readObject");
  }

  /** Before the JDK calls a method or constructor that a program names. */
  @Precedes(value = Statement.class, names = "execute")
  public static void statement() {
    ProcessNeed.because("Statement.execute");
  }

  /** As {@link #statement}. */
  @Precedes(
      value = Expression.class,
      names = {"execute", "getValue"})
  public static void expression() {
    ProcessNeed.because("Expression.getValue");
  }

  /** Before a method that a description names is looked up. */
  @Precedes(value = ConstantDesc.class, names = RESOLVE)
  public static void constant() {
    ProcessNeed.because("ConstantDesc.resolveConstantDesc");
  }

  /** As {@link #constant}. */
  @Precedes(value = MethodHandleDesc.class, names = RESOLVE)
  public static void handle() {
    constant();
  }

  /** As {@link #constant}. */
  @Precedes(value = DirectMethodHandleDesc.class, names = RESOLVE)
  public static void directHandle() {
    constant();
  }

  /** As {@link #constant}. */
  @Precedes(value = DynamicConstantDesc.class, names = RESOLVE)
  public static void dynamic() {
    constant();
  }

  /** Before a server of beans makes an object of a class that a program names. */
  @Precedes(value = MBeanServer.class, names = "instantiate")
  public static void instance() {
    ProcessNeed.because("MBeanServer.instantiate");
  }
}
