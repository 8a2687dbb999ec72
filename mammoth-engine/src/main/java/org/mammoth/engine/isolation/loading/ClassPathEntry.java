// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.loading;

import java.io.Closeable;
import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.security.CodeSigner;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipFile;

/** One folder or jar of a class path. Thread-safe. */
public abstract class ClassPathEntry implements Closeable {
  /** A resource in an entry. */
  public interface Found {
    /** Its URL. Opening it opens a file of its own, closed with the stream. */
    URL url();

    /** Its bytes. */
    InputStream open() throws IOException;

    /** Who signed it; known once it has been read to its end. Null when nobody did. */
    CodeSigner[] signers();

    /** Where it came from. */
    ClassPathEntry entry();
  }

  private final URL base;

  private ClassPathEntry(URL base) {
    this.base = base;
  }

  static ClassPathEntry open(File file) throws IOException {
    return file.isDirectory() ? folder(file) : new Jar(file);
  }

  /** A folder, whatever is in it by now. */
  public static ClassPathEntry folder(File file) {
    try {
      return new Folder(file);
    } catch (MalformedURLException e) {
      throw new UncheckedIOException(e); // there is a handler for files
    }
  }

  /** Location of the entry as a code source has it. */
  public URL base() {
    return base;
  }

  /** The resource of that name, or null. */
  public abstract Found find(String name);

  /** Of a jar, its manifest; null if there is none. */
  public abstract Manifest manifest() throws IOException;

  private static final class Folder extends ClassPathEntry {
    private final File root;

    Folder(File root) throws MalformedURLException {
      super(root.getAbsoluteFile().toURI().toURL());
      this.root = root.getAbsoluteFile();
    }

    @Override
    public Found find(String name) {
      File file = new File(root, name);
      return file.exists() && !name.startsWith("/") && isInside(file, name)
          ? new FileFound(this, file, name)
          : null;
    }

    private boolean isInside(File file, String name) {
      return !name.contains("..") || file.toPath().normalize().startsWith(root.toPath());
    }

    @Override
    public Manifest manifest() {
      return null;
    }

    @Override
    public void close() {}
  }

  private record FileFound(ClassPathEntry entry, File file, String name) implements Found {
    /** As the JDK's loaders make it: a folder's ends as its name does. */
    @Override
    public URL url() {
      try {
        String url = file.toURI().toString();
        boolean isMore = url.endsWith("/") && !name.isEmpty() && !name.endsWith("/");
        return new URL(isMore ? url.substring(0, url.length() - 1) : url);
      } catch (MalformedURLException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public InputStream open() throws IOException {
      return new FileInputStream(file);
    }

    @Override
    public CodeSigner[] signers() {
      return null;
    }
  }

  private static final class Jar extends ClassPathEntry {
    private final JarFile jar;

    Jar(File file) throws IOException {
      super(file.getAbsoluteFile().toURI().toURL());
      // The JDK reads a jar's directory once for all who have it open by the same name.
      jar = new JarFile(file.getCanonicalFile(), true, ZipFile.OPEN_READ, JarFile.runtimeVersion());
    }

    @Override
    public Found find(String name) {
      try {
        JarEntry entry = jar.getJarEntry(name);
        return entry == null ? null : new EntryFound(this, jar, entry);
      } catch (IllegalStateException closed) {
        return null;
      }
    }

    @Override
    public Manifest manifest() throws IOException {
      return jar.getManifest();
    }

    @Override
    public void close() throws IOException {
      jar.close();
    }
  }

  private record EntryFound(ClassPathEntry entry, JarFile jar, JarEntry file) implements Found {
    @Override
    public URL url() {
      try {
        // Only a URL's parser encodes; the name in it is the entry's as it stands in the jar.
        String path = new java.net.URI(null, null, file.getRealName(), null).getRawPath();
        return new URL(null, "jar:" + entry.base() + "!/" + path, new UncachedJarHandler());
      } catch (MalformedURLException | java.net.URISyntaxException e) {
        throw new IllegalStateException("No URL for " + file.getName() + " in " + entry.base(), e);
      }
    }

    @Override
    public InputStream open() throws IOException {
      return jar.getInputStream(file);
    }

    @Override
    public CodeSigner[] signers() {
      return file.getCodeSigners();
    }
  }

  /** Opens jar URLs without the JVM-wide cache of open jars. */
  private static final class UncachedJarHandler extends URLStreamHandler {
    @Override
    protected URLConnection openConnection(URL url) throws IOException {
      URLConnection connection = new URL(url.toExternalForm()).openConnection();
      connection.setUseCaches(false);
      return connection;
    }
  }
}
