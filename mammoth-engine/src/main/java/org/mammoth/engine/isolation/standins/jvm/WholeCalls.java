// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.jvm;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.net.UnixDomainSocketAddress;
import java.rmi.registry.LocateRegistry;
import java.util.function.BinaryOperator;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingStream;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.standins.Precedes;
import org.mammoth.engine.isolation.standins.Replaces;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/**
 * What rewritten code calls instead of, or before, what reads or changes a JVM as a whole: with
 * others in it, it would be of theirs, too. Stateless, thread-safe.
 */
public final class WholeCalls {
  private WholeCalls() {}

  /** {@code HotSpotDiagnosticMXBean.dumpHeap}. */
  @Replaces(value = HotSpotDiagnosticMXBean.class, receiver = true)
  public static void dumpHeap(HotSpotDiagnosticMXBean self, String file, boolean live)
      throws IOException {
    ProcessNeed.because("HotSpotDiagnosticMXBean.dumpHeap");
    self.dumpHeap(file, live);
  }

  /** {@code ObjectInputFilter.Config.setSerialFilter}. */
  @Replaces(ObjectInputFilter.Config.class)
  public static void setSerialFilter(ObjectInputFilter filter) {
    ProcessNeed.because("ObjectInputFilter.Config.setSerialFilter");
    ObjectInputFilter.Config.setSerialFilter(filter);
  }

  /** {@code ObjectInputFilter.Config.setSerialFilterFactory}. */
  @Replaces(ObjectInputFilter.Config.class)
  public static void setSerialFilterFactory(BinaryOperator<ObjectInputFilter> factory) {
    ProcessNeed.because("ObjectInputFilter.Config.setSerialFilterFactory");
    ObjectInputFilter.Config.setSerialFilterFactory(factory);
  }

  /** {@code Signal.handle}: signals are the JVM's. */
  @Replaces(Signal.class)
  public static SignalHandler handle(Signal signal, SignalHandler handler) {
    ProcessNeed.because("Signal.handle of " + signal.getName());
    return Signal.handle(signal, handler);
  }

  /** {@code Signal.raise}. */
  @Replaces(Signal.class)
  public static void raise(Signal signal) {
    ProcessNeed.because("Signal.raise of " + signal.getName());
    Signal.raise(signal);
  }

  /**
   * Before a domain socket's name is given, which the kernel takes to be of the JVM's folder;
   * absolute names are often longer than it allows.
   *
   * @param name a text or a path
   */
  @Precedes(value = UnixDomainSocketAddress.class, names = "of")
  public static void address(Object name) {
    if (name != null && !name.toString().isEmpty() && !name.toString().startsWith("/")) {
      ProcessNeed.because("UnixDomainSocketAddress.of of a relative name");
    }
  }

  /** Before a registry of remote objects is made, of which a JVM has one. */
  @Precedes(value = LocateRegistry.class, names = "createRegistry")
  public static void registry() {
    ProcessNeed.because("LocateRegistry.createRegistry");
  }

  /** Before a recording of the JVM starts. */
  @Precedes(
      value = Recording.class,
      names = {"start", "scheduleStart"})
  public static void recording() {
    ProcessNeed.because("Recording.start");
  }

  /** Before a stream of the JVM's events starts. */
  @Precedes(
      value = RecordingStream.class,
      names = {"start", "startAsync"})
  public static void streaming() {
    ProcessNeed.because("RecordingStream.start");
  }

  /** Before something of the flight recorder is changed, or all recordings are taken. */
  @Precedes(
      value = FlightRecorder.class,
      names = {
        "addListener",
        "addPeriodicEvent",
        "getRecordings",
        "register",
        "removePeriodicEvent",
        "takeSnapshot",
        "unregister"
      })
  public static void recorder() {
    ProcessNeed.because("FlightRecorder");
  }

  /**
   * At the beginning of a method of a shared class that changes for all what no task can have for
   * itself.
   *
   * @param method with its class's name
   */
  public static void reached(String method) {
    ProcessNeed.toCall(method);
  }
}
