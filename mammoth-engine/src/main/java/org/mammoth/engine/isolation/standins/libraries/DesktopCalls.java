// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.libraries;

import java.awt.EventQueue;
import java.awt.GraphicsEnvironment;
import java.awt.KeyboardFocusManager;
import java.awt.Toolkit;
import java.awt.color.ICC_Profile;
import java.awt.datatransfer.SystemFlavorMap;
import java.io.File;
import javax.imageio.ImageIO;
import javax.print.PrintServiceLookup;
import javax.print.attribute.standard.MediaSize;
import javax.swing.JComponent;
import javax.swing.JDialog;
import javax.swing.JEditorPane;
import javax.swing.JFrame;
import javax.swing.JOptionPane;
import javax.swing.JPopupMenu;
import javax.swing.LayoutStyle;
import javax.swing.PopupFactory;
import javax.swing.RepaintManager;
import javax.swing.SwingUtilities;
import javax.swing.SwingWorker;
import javax.swing.Timer;
import javax.swing.ToolTipManager;
import javax.swing.UIManager;
import javax.swing.plaf.metal.MetalLookAndFeel;
import javax.swing.plaf.synth.SynthLookAndFeel;
import javax.swing.text.JTextComponent;
import javax.swing.text.LayoutQueue;
import javax.swing.text.StyleContext;
import javax.swing.text.html.HTMLEditorKit;
import javax.swing.text.html.parser.DTD;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.standins.Follows;
import org.mammoth.engine.isolation.standins.Precedes;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten code calls before it changes what the JDK keeps once for a JVM to draw, to print
 * and to show windows: jobs render images and read HTML without any. The task goes on in a process
 * of its own. Which there are is found by reading the JDK, see JdkStateTest. Stateless,
 * thread-safe.
 */
public final class DesktopCalls {
  private DesktopCalls() {}

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
        "getDefaults",
        "getLookAndFeelDefaults",
        "removePropertyChangeListener",
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

  /** Before events are given to the one thread that takes them. */
  @Precedes(
      value = EventQueue.class,
      names = {"invokeAndWait", "invokeLater", "pop", "postEvent", "push"})
  public static void queue() {
    ProcessNeed.because("EventQueue");
  }

  /** As {@link #queue}. */
  @Precedes(
      value = SwingUtilities.class,
      names = {"invokeAndWait", "invokeLater"})
  public static void later() {
    ProcessNeed.because("SwingUtilities.invokeLater");
  }

  /** Before work is given to threads that all have. */
  @Precedes(value = SwingWorker.class, names = "execute")
  public static void worker() {
    ProcessNeed.because("SwingWorker.execute");
  }

  /** Before the one thread of timers is started. */
  @Precedes(
      value = Timer.class,
      names = {"restart", "start"})
  public static void timed() {
    ProcessNeed.because("Timer.start");
  }

  /** Before the queue of events is had, or what it does is changed. */
  @Precedes(
      value = Toolkit.class,
      names = {"getSystemEventQueue", "setDynamicLayout", "setLockingKeyState"})
  public static void toolkit() {
    ProcessNeed.because("Toolkit");
  }

  /** Before all documents of HTML get styles: the sheet itself may be changed. */
  @Precedes(
      value = HTMLEditorKit.class,
      names = {"getStyleSheet", "setStyleSheet"})
  public static void sheet() {
    ProcessNeed.because("HTMLEditorKit.getStyleSheet");
  }

  /** Before the styles of all documents are had, which may be changed. */
  @Precedes(value = StyleContext.class, names = "getDefaultStyleContext")
  public static void context() {
    ProcessNeed.because("StyleContext.getDefaultStyleContext");
  }

  /** Before a definition of documents is had or entered. */
  @Precedes(
      value = DTD.class,
      names = {"getDTD", "putDTDHash"})
  public static void definition() {
    ProcessNeed.because("DTD.getDTD");
  }

  /** Before kinds of texts get other editors. */
  @Precedes(value = JEditorPane.class, names = "registerEditorKitForContentType")
  public static void editors() {
    ProcessNeed.because("JEditorPane.registerEditorKitForContentType");
  }

  /** Before maps of keys are entered, had or taken out. */
  @Precedes(
      value = JTextComponent.class,
      names = {"addKeymap", "getKeymap", "loadKeymap", "removeKeymap"})
  public static void keys() {
    ProcessNeed.because("JTextComponent.addKeymap");
  }

  /** Before all texts are laid out by another queue. */
  @Precedes(value = LayoutQueue.class, names = "setDefaultQueue")
  public static void layoutQueue() {
    ProcessNeed.because("LayoutQueue.setDefaultQueue");
  }

  /** Before all components are laid out otherwise. */
  @Precedes(value = LayoutStyle.class, names = "setInstance")
  public static void layout() {
    ProcessNeed.because("LayoutStyle.setInstance");
  }

  /** Before all components get other colours. */
  @Precedes(value = MetalLookAndFeel.class, names = "setCurrentTheme")
  public static void theme() {
    ProcessNeed.because("MetalLookAndFeel.setCurrentTheme");
  }

  /** Before the one manager of tool tips is had. */
  @Precedes(value = ToolTipManager.class, names = "sharedInstance")
  public static void tips() {
    ProcessNeed.because("ToolTipManager.sharedInstance");
  }

  /** Before printers are entered. */
  @Precedes(
      value = PrintServiceLookup.class,
      names = {"registerService", "registerServiceProvider"})
  public static void printers() {
    ProcessNeed.because("PrintServiceLookup.registerService");
  }

  /** After a size of paper was made, which all who look for one find. */
  @Follows(value = MediaSize.class, names = "<init>")
  public static void paper(Object size) {
    ProcessNeed.because("new MediaSize");
  }

  /** Before a profile of colours is changed, of which there is one for each colour space. */
  @Precedes(value = ICC_Profile.class, names = "setData")
  public static void colours() {
    ProcessNeed.because("ICC_Profile.setData");
  }

  /** Before the map of what is dragged is changed. */
  @Precedes(
      value = SystemFlavorMap.class,
      names = {
        "addFlavorForUnencodedNative",
        "addUnencodedNativeForFlavor",
        "setFlavorsForNative",
        "setNativesForFlavor"
      })
  public static void flavors() {
    ProcessNeed.because("SystemFlavorMap");
  }

  /** {@code ImageIO.setUseCache}: as the task's own, which images do not show. */
  @Replaces(ImageIO.class)
  public static void setUseCache(boolean useCache) {
    TaskImages images = TaskImages.ofCaller();
    if (images == null) {
      ImageIO.setUseCache(useCache);
    } else {
      images.useCache(useCache);
    }
  }

  /** {@code ImageIO.getUseCache}. */
  @Replaces(ImageIO.class)
  public static boolean getUseCache() {
    TaskImages images = TaskImages.ofCaller();
    return images == null ? ImageIO.getUseCache() : images.usesCache();
  }

  /** {@code ImageIO.setCacheDirectory}: as {@link #setUseCache}. */
  @Replaces(ImageIO.class)
  public static void setCacheDirectory(File dir) {
    TaskImages images = TaskImages.ofCaller();
    if (images == null) {
      ImageIO.setCacheDirectory(dir);
    } else {
      images.cacheIn(dir);
    }
  }

  /** {@code ImageIO.getCacheDirectory}. */
  @Replaces(ImageIO.class)
  public static File getCacheDirectory() {
    TaskImages images = TaskImages.ofCaller();
    return images == null ? ImageIO.getCacheDirectory() : images.cacheDirectory();
  }
}
