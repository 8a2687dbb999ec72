package org.mammoth.engine.isolation;

import java.io.IOException;
import java.net.URI;
import java.net.spi.URLStreamHandlerProvider;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.spi.FileSystemProvider;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.imageio.ImageIO;
import javax.imageio.spi.IIORegistry;
import javax.imageio.spi.ImageInputStreamSpi;
import javax.imageio.spi.ImageOutputStreamSpi;
import javax.imageio.spi.ImageReaderSpi;
import javax.imageio.spi.ImageTranscoderSpi;
import javax.imageio.spi.ImageWriterSpi;
import javax.imageio.spi.ServiceRegistry;

/**
 * What rewritten code calls instead of, or before, what makes the JDK look for parts in the
 * application's jars once for all: formats of images, file systems of {@code java.nio.file}, and
 * protocols of URLs. A job that brings such parts needs a process where it reaches them; all others
 * see the JDK's own. Stateless, thread-safe.
 */
public final class ServiceCalls {
  private static final List<Class<?>> IMAGES =
      List.of(
          ImageReaderSpi.class,
          ImageWriterSpi.class,
          ImageTranscoderSpi.class,
          ImageInputStreamSpi.class,
          ImageOutputStreamSpi.class);
  private static final Set<String> PROTOCOLS = Set.of("file", "http", "https", "jar", "hdfs");

  private static final Set<String> JDKS_FILES = Set.of("file", "jar", "jrt");

  private ServiceCalls() {}

  /** Before any method of {@code ImageIO} that asks which formats there are. */
  @Precedes(
      value = ImageIO.class,
      names = {
        "createImageInputStream",
        "createImageOutputStream",
        "getImageReaders",
        "getImageReadersByFormatName",
        "getImageReadersByMIMEType",
        "getImageReadersBySuffix",
        "getImageTranscoders",
        "getImageWriters",
        "getImageWritersByFormatName",
        "getImageWritersByMIMEType",
        "getImageWritersBySuffix",
        "getReaderFileSuffixes",
        "getReaderFormatNames",
        "getReaderMIMETypes",
        "getWriterFileSuffixes",
        "getWriterFormatNames",
        "getWriterMIMETypes",
        "read",
        "scanForPlugins",
        "write"
      })
  public static void usingImages() {
    needing(IMAGES, true, "ImageIO");
  }

  /** {@code IIORegistry.getDefaultInstance}. */
  @Replaces(IIORegistry.class)
  public static IIORegistry getDefaultInstance() {
    usingImages();
    return IIORegistry.getDefaultInstance();
  }

  /** Before the one registry of image formats, or another, is changed. */
  @Precedes(
      value = IIORegistry.class,
      names = {
        "deregisterAll",
        "deregisterServiceProvider",
        "registerServiceProvider",
        "registerServiceProviders",
        "setOrdering",
        "unsetOrdering"
      })
  public static void changingFormats() {
    ProcessNeed.because("IIORegistry's setters");
  }

  /** The same, as its superclass has it. */
  @Precedes(
      value = ServiceRegistry.class,
      names = {
        "deregisterAll",
        "deregisterServiceProvider",
        "registerServiceProvider",
        "registerServiceProviders",
        "setOrdering",
        "unsetOrdering"
      })
  public static void changingRegistry() {
    ProcessNeed.because("ServiceRegistry's setters");
  }

  /** {@code FileSystemProvider.installedProviders}. */
  @Replaces(FileSystemProvider.class)
  public static List<FileSystemProvider> installedProviders() {
    needing(List.of(FileSystemProvider.class), false, "FileSystems");
    return FileSystemProvider.installedProviders();
  }

  /** {@code FileSystems.newFileSystem}. */
  @Replaces(FileSystems.class)
  public static FileSystem newFileSystem(URI uri, Map<String, ?> env) throws IOException {
    usingFileSystem(uri);
    return FileSystems.newFileSystem(uri, env);
  }

  /** {@code FileSystems.getFileSystem}. */
  @Replaces(FileSystems.class)
  public static FileSystem getFileSystem(URI uri) {
    usingFileSystem(uri);
    return FileSystems.getFileSystem(uri);
  }

  /** {@code Path.of}. */
  @Replaces(Path.class)
  public static Path of(URI uri) {
    usingFileSystem(uri);
    return Path.of(uri);
  }

  /** {@code Paths.get}. */
  @Replaces(Paths.class)
  public static Path get(URI uri) {
    return of(uri);
  }

  /** Before a URL is made of a text. */
  static void usingProtocol(String url) {
    int colon = url == null ? -1 : url.indexOf(':');
    if (colon > 0 && !PROTOCOLS.contains(url.substring(0, colon))) {
      needing(List.of(URLStreamHandlerProvider.class), false, "URLs");
    }
  }

  private static void usingFileSystem(URI uri) {
    String scheme = uri.getScheme();
    if (scheme != null && !JDKS_FILES.contains(scheme)) {
      needing(List.of(FileSystemProvider.class), false, "FileSystems");
    }
  }

  /**
   * @param byContext whether the JDK asks the thread's context class loader; the system's has no
   *     classes of a job that asks for a class loader of its own
   */
  private static void needing(List<Class<?>> services, boolean byContext, String what) {
    TaskProcess process = Owners.callerOrNull();
    TaskClassLoader loader = process == null ? null : process.loader();
    if (loader != null
        && (byContext || !loader.isChildFirst())
        && services.stream().anyMatch(loader::hasServices)) {
      process.needProcess(ProcessNeed.reason(what + ", of which its jars bring some"));
    }
  }
}
