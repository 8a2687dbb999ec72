// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import static org.mammoth.engine.isolation.standins.files.PathCalls.back;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.util.Iterator;
import java.util.Set;

/**
 * The entries of a folder by names that begin as the task wrote the folder's. Closed by whoever
 * asked for it; as safe for threads as the stream behind it.
 */
class ShownStream implements DirectoryStream<Path> {
  final Path written;
  final Path real;
  private final DirectoryStream<Path> stream;

  private ShownStream(Path written, Path real, DirectoryStream<Path> stream) {
    this.written = written;
    this.real = real;
    this.stream = stream;
  }

  /** One that is secure if the other is: libraries delete trees by no other. */
  static ShownStream of(Path written, Path real, DirectoryStream<Path> stream) {
    return stream instanceof SecureDirectoryStream
        ? new Secure(written, real, (SecureDirectoryStream<Path>) stream)
        : new ShownStream(written, real, stream);
  }

  @Override
  public Iterator<Path> iterator() {
    Iterator<Path> paths = stream.iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return paths.hasNext();
      }

      @Override
      public Path next() {
        return back(written, real, paths.next());
      }

      @Override
      public void remove() {
        paths.remove();
      }
    };
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }

  /** Its methods take names that are relative to the open folder, which no other can be. */
  private static final class Secure extends ShownStream implements SecureDirectoryStream<Path> {
    private final SecureDirectoryStream<Path> secure;

    Secure(Path written, Path real, SecureDirectoryStream<Path> secure) {
      super(written, real, secure);
      this.secure = secure;
    }

    @Override
    public SecureDirectoryStream<Path> newDirectoryStream(Path path, LinkOption... options)
        throws IOException {
      return new Secure(
          written.resolve(path), real.resolve(path), secure.newDirectoryStream(path, options));
    }

    @Override
    public SeekableByteChannel newByteChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      return secure.newByteChannel(path, options, attributes);
    }

    @Override
    public void deleteFile(Path path) throws IOException {
      secure.deleteFile(path);
    }

    @Override
    public void deleteDirectory(Path path) throws IOException {
      secure.deleteDirectory(path);
    }

    @Override
    public void move(Path from, SecureDirectoryStream<Path> to, Path name) throws IOException {
      secure.move(from, to instanceof Secure ? ((Secure) to).secure : to, name);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(Class<V> type) {
      return secure.getFileAttributeView(type);
    }

    @Override
    public <V extends FileAttributeView> V getFileAttributeView(
        Path path, Class<V> type, LinkOption... options) {
      return secure.getFileAttributeView(path, type, options);
    }
  }
}
