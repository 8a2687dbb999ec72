// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import com.sun.net.httpserver.spi.HttpServerProvider;
import java.net.URI;
import java.net.spi.URLStreamHandlerProvider;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.time.ZoneId;
import java.time.zone.ZoneRulesProvider;
import java.util.Set;
import java.util.prefs.Preferences;
import java.util.spi.ToolProvider;
import javax.imageio.ImageIO;
import javax.imageio.spi.IIORegistry;
import javax.imageio.spi.ImageInputStreamSpi;
import javax.imageio.spi.ImageOutputStreamSpi;
import javax.imageio.spi.ImageReaderSpi;
import javax.imageio.spi.ImageTranscoderSpi;
import javax.imageio.spi.ImageWriterSpi;
import javax.imageio.spi.ServiceRegistry;
import javax.sound.midi.MidiSystem;
import javax.sound.midi.spi.MidiDeviceProvider;
import javax.sound.midi.spi.MidiFileReader;
import javax.sound.midi.spi.MidiFileWriter;
import javax.sound.midi.spi.SoundbankReader;
import javax.sound.sampled.AudioSystem;
import javax.sound.sampled.spi.AudioFileReader;
import javax.sound.sampled.spi.AudioFileWriter;
import javax.sound.sampled.spi.FormatConversionProvider;
import javax.sound.sampled.spi.MixerProvider;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskProcess;

/**
 * What rewritten code calls before it asks the JDK for what the job's own jars may provide in
 * META-INF/services, where the JDK looks on the class path of the JVM, or keeps what it finds for
 * all that ask later. Such a job needs a process; one without such parts finds the JDK's own.
 * Stateless, thread-safe.
 */
public final class PartCalls {
  private static final Set<String> PROTOCOLS_OF_JDK =
      Set.of("file", "ftp", "http", "https", "jar", "jmod", "jrt", "mailto");

  private PartCalls() {}

  /** Ends the attempt if the caller's own jars provide one of these services. */
  public static void reaching(String call, Class<?>... services) {
    TaskProcess process = Owners.callerOrNull();
    TaskClassLoader loader = process == null ? null : process.loader();
    if (loader == null || loader.isChildFirst()) {
      return;
    }
    for (Class<?> service : services) {
      if (loader.hasServices(service)) {
        process.needProcess(
            ProcessNeed.reason(call) + ", for which its jars provide " + service.getName());
      }
    }
  }

  /** Before a URL is made of a text: its protocol may be the job's own. */
  public static void protocol(String spec) {
    int colon = spec == null ? -1 : spec.indexOf(':');
    // As short as a protocol is, and shorter than most names of files.
    if (colon > 0 && !PROTOCOLS_OF_JDK.contains(spec.substring(0, colon))) {
      reaching("new URL of " + spec.substring(0, colon), URLStreamHandlerProvider.class);
    }
  }

  /** {@code URI.toURL}. */
  @Replaces(value = URI.class, name = "toURL", receiver = true)
  public static java.net.URL toUrl(URI self) throws java.net.MalformedURLException {
    protocol(self.toString());
    return self.toURL();
  }

  /** Before any method of {@code ImageIO}, which knows one registry. */
  @Precedes(
      value = ImageIO.class,
      names = {
        "read",
        "write",
        "scanForPlugins",
        "getReaderFormatNames",
        "getReaderMIMETypes",
        "getReaderFileSuffixes",
        "getImageReaders",
        "getImageReadersByFormatName",
        "getImageReadersBySuffix",
        "getImageReadersByMIMEType",
        "getWriterFormatNames",
        "getWriterMIMETypes",
        "getWriterFileSuffixes",
        "getImageWriters",
        "getImageWritersByFormatName",
        "getImageWritersBySuffix",
        "getImageWritersByMIMEType",
        "getImageWriter",
        "getImageReader",
        "getImageTranscoders",
        "createImageInputStream",
        "createImageOutputStream"
      })
  public static void images() {
    reaching(
        "ImageIO",
        ImageReaderSpi.class,
        ImageWriterSpi.class,
        ImageTranscoderSpi.class,
        ImageInputStreamSpi.class,
        ImageOutputStreamSpi.class);
  }

  /** Before {@code IIORegistry.getDefaultInstance}. */
  @Precedes(value = IIORegistry.class, names = "getDefaultInstance")
  public static void imageRegistry() {
    images();
  }

  /** Before the registry of images, of which there is one, is changed. */
  @Precedes(
      value = IIORegistry.class,
      names = {
        "registerServiceProvider",
        "registerServiceProviders",
        "deregisterServiceProvider",
        "deregisterAll",
        "setOrdering",
        "unsetOrdering",
        "registerApplicationClasspathSpis"
      })
  public static void changingImages() {
    ProcessNeed.because("IIORegistry to change it");
  }

  /** As {@link #changingImages}, by the class that has the methods. */
  @Precedes(
      value = ServiceRegistry.class,
      names = {
        "registerServiceProvider",
        "registerServiceProviders",
        "deregisterServiceProvider",
        "deregisterAll",
        "setOrdering",
        "unsetOrdering"
      })
  public static void changingRegistry() {
    ProcessNeed.because("ServiceRegistry to change it");
  }

  /** Before any method of {@code AudioSystem}. */
  @Precedes(
      value = AudioSystem.class,
      names = {
        "getAudioFileFormat",
        "getAudioFileTypes",
        "getAudioInputStream",
        "getClip",
        "getLine",
        "getMixer",
        "getMixerInfo",
        "getSourceDataLine",
        "getTargetDataLine",
        "getSourceLineInfo",
        "getTargetLineInfo",
        "getTargetEncodings",
        "getTargetFormats",
        "isConversionSupported",
        "isFileTypeSupported",
        "isLineSupported",
        "write"
      })
  public static void sounds() {
    reaching(
        "AudioSystem",
        AudioFileReader.class,
        AudioFileWriter.class,
        FormatConversionProvider.class,
        MixerProvider.class);
  }

  /** Before any method of {@code MidiSystem}. */
  @Precedes(
      value = MidiSystem.class,
      names = {
        "getMidiDevice",
        "getMidiDeviceInfo",
        "getMidiFileFormat",
        "getMidiFileTypes",
        "getReceiver",
        "getSequence",
        "getSequencer",
        "getSoundbank",
        "getSynthesizer",
        "getTransmitter",
        "isFileTypeSupported",
        "write"
      })
  public static void music() {
    reaching(
        "MidiSystem",
        MidiDeviceProvider.class,
        MidiFileReader.class,
        MidiFileWriter.class,
        SoundbankReader.class);
  }

  /** Before {@code System.getLogger}. */
  @Precedes(value = System.class, names = "getLogger")
  public static void logger() {
    reaching("System.getLogger", System.LoggerFinder.class);
  }

  /** Before {@code ToolProvider.findFirst}. */
  @Precedes(value = ToolProvider.class, names = "findFirst")
  public static void tool() {
    reaching("ToolProvider.findFirst", ToolProvider.class);
  }

  /** Before {@code ZoneId.of} and its like. */
  @Precedes(
      value = ZoneId.class,
      names = {"of", "getAvailableZoneIds"})
  public static void zone() {
    reaching("ZoneId", ZoneRulesProvider.class);
  }

  /** Before zones' rules are looked up. */
  @Precedes(
      value = ZoneRulesProvider.class,
      names = {"getAvailableZoneIds", "getRules", "getVersions", "refresh"})
  public static void zoneRules() {
    reaching("ZoneRulesProvider", ZoneRulesProvider.class);
  }

  /** Before preferences are read or set: a JVM keeps one tree of them, and a file every 30 s. */
  @Precedes(
      value = Preferences.class,
      names = {"userRoot", "systemRoot", "userNodeForPackage", "systemNodeForPackage"})
  public static void preferences() {
    ProcessNeed.because("Preferences");
  }

  /** Before {@code SelectorProvider.provider}. */
  @Precedes(value = SelectorProvider.class, names = "provider")
  public static void selectorProvider() {
    reaching("SelectorProvider.provider", SelectorProvider.class);
  }

  /** Before {@code Selector.open}. */
  @Precedes(value = Selector.class, names = "open")
  public static void selector() {
    reaching("Selector.open", SelectorProvider.class);
  }

  /** Before {@code HttpServer.create}. */
  @Precedes(value = HttpServer.class, names = "create")
  public static void httpServer() {
    reaching("HttpServer.create", HttpServerProvider.class);
  }

  /** Before {@code HttpsServer.create}. */
  @Precedes(value = HttpsServer.class, names = "create")
  public static void httpsServer() {
    reaching("HttpsServer.create", HttpServerProvider.class);
  }
}
