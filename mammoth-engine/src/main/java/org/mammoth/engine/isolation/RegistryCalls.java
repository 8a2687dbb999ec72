// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.awt.GraphicsEnvironment;
import java.awt.KeyboardFocusManager;
import java.awt.Toolkit;
import java.rmi.server.LogStream;
import java.rmi.server.RemoteServer;
import java.time.zone.ZoneRulesProvider;
import javax.sql.rowset.spi.SyncFactory;
import javax.swing.JComponent;
import javax.swing.JDialog;
import javax.swing.JFrame;
import javax.swing.JOptionPane;
import javax.swing.JPopupMenu;
import javax.swing.PopupFactory;
import javax.swing.RepaintManager;
import javax.swing.Timer;
import javax.swing.UIManager;
import javax.swing.plaf.synth.SynthLookAndFeel;
import javax.swing.text.StyleContext;

/**
 * What rewritten code calls before it enters something into registries that the JDK has once for a
 * JVM: the task goes on in a process of its own. Which there are is found by reading the JDK, see
 * JdkStateTest. Stateless, thread-safe.
 */
public final class RegistryCalls {
  private RegistryCalls() {}

  /** Before time zones get other rules. */
  @Precedes(value = ZoneRulesProvider.class, names = "registerProvider")
  public static void zones() {
    ProcessNeed.because("ZoneRulesProvider.registerProvider");
  }

  /** Before row sets get other providers. */
  @Precedes(
      value = SyncFactory.class,
      names = {"registerProvider", "unregisterProvider", "setJNDIContext", "setLogger"})
  public static void rowSets() {
    ProcessNeed.because("SyncFactory");
  }

  /** Before logs of remote calls go elsewhere. */
  @Precedes(
      value = LogStream.class,
      names = {"setDefaultStream", "log"})
  public static void remoteLogs() {
    ProcessNeed.because("LogStream");
  }

  /** Before calls of remote objects are logged. */
  @Precedes(value = RemoteServer.class, names = "setLog")
  public static void remoteCalls() {
    ProcessNeed.because("RemoteServer.setLog");
  }

  /** Before fonts are known to all who draw. */
  @Precedes(
      value = GraphicsEnvironment.class,
      names = {"registerFont", "preferLocaleFonts", "preferProportionalFonts"})
  public static void fonts() {
    ProcessNeed.because("GraphicsEnvironment");
  }

  /** Before all events of windows are listened to. */
  @Precedes(
      value = Toolkit.class,
      names = {"addAWTEventListener", "removeAWTEventListener"})
  public static void events() {
    ProcessNeed.because("Toolkit.addAWTEventListener");
  }

  /** Before another focus manager. */
  @Precedes(value = KeyboardFocusManager.class, names = "setCurrentKeyboardFocusManager")
  public static void focus() {
    ProcessNeed.because("KeyboardFocusManager.setCurrentKeyboardFocusManager");
  }

  /** Before all components look otherwise. */
  @Precedes(
      value = UIManager.class,
      names = {
        "setLookAndFeel",
        "setInstalledLookAndFeels",
        "installLookAndFeel",
        "addAuxiliaryLookAndFeel",
        "removeAuxiliaryLookAndFeel",
        "addPropertyChangeListener",
        "put"
      })
  public static void looks() {
    ProcessNeed.because("UIManager");
  }

  /** Before all components get styles. */
  @Precedes(value = SynthLookAndFeel.class, names = "setStyleFactory")
  public static void styles() {
    ProcessNeed.because("SynthLookAndFeel.setStyleFactory");
  }

  /** Before texts get attributes that all know. */
  @Precedes(value = StyleContext.class, names = "registerStaticAttributeKey")
  public static void attributes() {
    ProcessNeed.because("StyleContext.registerStaticAttributeKey");
  }

  /** Before components get another locale. */
  @Precedes(value = JComponent.class, names = "setDefaultLocale")
  public static void locale() {
    ProcessNeed.because("JComponent.setDefaultLocale");
  }

  /** Before all dialogs look otherwise. */
  @Precedes(value = JDialog.class, names = "setDefaultLookAndFeelDecorated")
  public static void dialogs() {
    ProcessNeed.because("JDialog.setDefaultLookAndFeelDecorated");
  }

  /** Before all frames look otherwise. */
  @Precedes(value = JFrame.class, names = "setDefaultLookAndFeelDecorated")
  public static void frames() {
    ProcessNeed.because("JFrame.setDefaultLookAndFeelDecorated");
  }

  /** Before dialogs get another root. */
  @Precedes(value = JOptionPane.class, names = "setRootFrame")
  public static void root() {
    ProcessNeed.because("JOptionPane.setRootFrame");
  }

  /** Before all menus are made otherwise. */
  @Precedes(value = JPopupMenu.class, names = "setDefaultLightWeightPopupEnabled")
  public static void menus() {
    ProcessNeed.because("JPopupMenu.setDefaultLightWeightPopupEnabled");
  }

  /** Before all popups are made otherwise. */
  @Precedes(value = PopupFactory.class, names = "setSharedInstance")
  public static void popups() {
    ProcessNeed.because("PopupFactory.setSharedInstance");
  }

  /** Before all components are painted otherwise. */
  @Precedes(value = RepaintManager.class, names = "setCurrentManager")
  public static void painting() {
    ProcessNeed.because("RepaintManager.setCurrentManager");
  }

  /** Before timers write what they do. */
  @Precedes(value = Timer.class, names = "setLogTimers")
  public static void timers() {
    ProcessNeed.because("Timer.setLogTimers");
  }
}
