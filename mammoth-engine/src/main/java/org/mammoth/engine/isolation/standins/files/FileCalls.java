// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation.standins.files;

import java.io.File;
import java.io.FileFilter;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.FilenameFilter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Scanner;
import java.util.jar.JarFile;
import java.util.zip.ZipFile;
import org.mammoth.engine.isolation.Owners;
import org.mammoth.engine.isolation.ProcessNeed;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.Replaces;

/**
 * What rewritten user code calls instead of {@code java.io} members that take or show a file name:
 * relative names are the task's.
 *
 * <p>A constructor's stand-in serves method references ({@code FileReader::new}); in a plain {@code
 * new} only the name is resolved on its way in, by {@link #name}. Constructors that take a {@code
 * File} need nothing, see {@link TaskFile}. Stateless, thread-safe.
 */
public final class FileCalls {
  private FileCalls() {}

  /**
   * A file name made absolute against the calling task's working directory; itself when absolute
   * and no standard stream's, null or the engine's.
   */
  public static String name(String name) {
    if (name == null || name.startsWith(File.separator)) {
      return name == null ? null : TaskDescriptors.name(name);
    }
    TaskProcess process = Owners.callerOrNull();
    return process == null ? name : process.resolve(name).getPath();
  }

  /** {@code File.delete}: not by a thread whose process has ended. */
  @Replaces(value = File.class, receiver = true)
  public static boolean delete(File file) {
    Owners.checkGoesOn();
    return file.delete();
  }

  /** {@code File.renameTo}: not by a thread whose process has ended. */
  @Replaces(value = File.class, receiver = true)
  public static boolean renameTo(File file, File to) {
    Owners.checkGoesOn();
    return file.renameTo(to);
  }

  /** {@code File.getPath}: as written. */
  @Replaces(value = File.class, receiver = true)
  public static String getPath(File file) {
    return file instanceof TaskFile ? ((TaskFile) file).written() : file.getPath();
  }

  /** {@code File.getCanonicalPath}. */
  @Replaces(value = File.class, receiver = true)
  public static String getCanonicalPath(File file) throws IOException {
    return TaskDescriptors.shown(file.getCanonicalPath());
  }

  /** {@code File.getCanonicalFile}. */
  @Replaces(value = File.class, receiver = true)
  public static File getCanonicalFile(File file) throws IOException {
    File canonical = file.getCanonicalFile();
    return canonical.getClass() == File.class
        ? new File(TaskDescriptors.shown(canonical.getPath()))
        : canonical;
  }

  /** {@code File.getName}: as written. */
  @Replaces(value = File.class, receiver = true)
  public static String getName(File file) {
    return TaskFile.asWritten(file).getName();
  }

  /** {@code File.getParent}: as written. */
  @Replaces(value = File.class, receiver = true)
  public static String getParent(File file) {
    return TaskFile.asWritten(file).getParent();
  }

  /** {@code File.getParentFile}: as written. */
  @Replaces(value = File.class, receiver = true)
  public static File getParentFile(File file) {
    if (!(file instanceof TaskFile)) {
      return file.getParentFile();
    }
    String parent = getParent(file);
    return parent == null ? null : new TaskFile(parent);
  }

  /** {@code File.isAbsolute}: as written. */
  @Replaces(value = File.class, receiver = true)
  public static boolean isAbsolute(File file) {
    return TaskFile.asWritten(file).isAbsolute();
  }

  /** {@code File.toPath}: as written, for {@link FilesCalls} to resolve. */
  @Replaces(value = File.class, receiver = true)
  public static Path toPath(File file) {
    return TaskFile.asWritten(file).toPath();
  }

  /** {@code File.listFiles}: children named as the folder was written. */
  @Replaces(value = File.class, receiver = true)
  public static File[] listFiles(File dir) {
    return dir instanceof TaskFile ? listFiles(dir, (FilenameFilter) null) : dir.listFiles();
  }

  /** {@code File.listFiles}. */
  @Replaces(value = File.class, receiver = true)
  public static File[] listFiles(File dir, FilenameFilter filter) {
    if (!(dir instanceof TaskFile)) {
      return dir.listFiles(filter);
    }
    String[] names = dir.list(filter);
    if (names == null) {
      return null;
    }
    File[] files = new File[names.length];
    for (int i = 0; i < names.length; i++) {
      files[i] = child((TaskFile) dir, names[i]);
    }
    return files;
  }

  /** {@code File.listFiles}. */
  @Replaces(value = File.class, receiver = true)
  public static File[] listFiles(File dir, FileFilter filter) {
    if (!(dir instanceof TaskFile)) {
      return dir.listFiles(filter);
    }
    File[] all = listFiles(dir);
    if (all == null || filter == null) {
      return all;
    }
    List<File> chosen = new ArrayList<>();
    for (File file : all) {
      if (filter.accept(file)) {
        chosen.add(file);
      }
    }
    return chosen.toArray(new File[0]);
  }

  private static TaskFile child(TaskFile dir, String name) {
    // new File("", "x") is /x, yet the empty name lists the working directory.
    return dir.written().isEmpty() ? new TaskFile(name) : new TaskFile(dir, name);
  }

  /** {@code File.createTempFile}: in the task's folder. */
  @Replaces(File.class)
  public static File createTempFile(String prefix, String suffix) throws IOException {
    return createTempFile(prefix, suffix, null);
  }

  /** {@code File.createTempFile}: in the task's folder when none is named. */
  @Replaces(File.class)
  public static File createTempFile(String prefix, String suffix, File dir) throws IOException {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      return File.createTempFile(prefix, suffix, dir);
    }
    if (dir == null) {
      return new TaskFile(File.createTempFile(prefix, suffix, PathCalls.tmp(process).toFile()));
    }
    File made = File.createTempFile(prefix, suffix, dir);
    return dir instanceof TaskFile ? child((TaskFile) dir, made.getName()) : made;
  }

  /** {@code File.deleteOnExit}: when the task ends. */
  @Replaces(value = File.class, receiver = true)
  public static void deleteOnExit(File file) {
    TaskProcess process = Owners.callerOrNull();
    if (process == null) {
      file.deleteOnExit();
    } else {
      process.deleteAtEnd(file);
    }
  }

  // One line each: stand-ins of constructors.

  @Replaces(value = File.class, constructor = true)
  public static File newFile(String path) {
    return new TaskFile(path);
  }

  @Replaces(value = File.class, constructor = true)
  public static File newFile(String parent, String child) {
    return new TaskFile(parent, child);
  }

  @Replaces(value = File.class, constructor = true)
  public static File newFile(File parent, String child) {
    return new TaskFile(parent, child);
  }

  @Replaces(value = File.class, constructor = true)
  public static File newFile(URI uri) {
    return new TaskFile(uri);
  }

  @Replaces(value = FileInputStream.class, constructor = true)
  public static FileInputStream newFileInputStream(String name) throws FileNotFoundException {
    return new FileInputStream(name(name));
  }

  @Replaces(value = FileOutputStream.class, constructor = true)
  public static FileOutputStream newFileOutputStream(String name) throws FileNotFoundException {
    return new FileOutputStream(name(name));
  }

  @Replaces(value = FileOutputStream.class, constructor = true)
  public static FileOutputStream newFileOutputStream(String name, boolean append)
      throws FileNotFoundException {
    return new FileOutputStream(name(name), append);
  }

  @Replaces(value = FileReader.class, constructor = true)
  @SuppressWarnings("DefaultCharset") // the program asked for the default, and gets it
  public static FileReader newFileReader(String name) throws FileNotFoundException {
    return new FileReader(name(name));
  }

  @Replaces(value = FileReader.class, constructor = true)
  public static FileReader newFileReader(String name, Charset charset) throws IOException {
    return new FileReader(name(name), charset);
  }

  @Replaces(value = FileWriter.class, constructor = true)
  @SuppressWarnings("DefaultCharset") // the program asked for the default, and gets it
  public static FileWriter newFileWriter(String name) throws IOException {
    return new FileWriter(name(name));
  }

  @Replaces(value = FileWriter.class, constructor = true)
  @SuppressWarnings("DefaultCharset") // the program asked for the default, and gets it
  public static FileWriter newFileWriter(String name, boolean append) throws IOException {
    return new FileWriter(name(name), append);
  }

  @Replaces(value = FileWriter.class, constructor = true)
  public static FileWriter newFileWriter(String name, Charset charset) throws IOException {
    return new FileWriter(name(name), charset);
  }

  @Replaces(value = FileWriter.class, constructor = true)
  public static FileWriter newFileWriter(String name, Charset charset, boolean append)
      throws IOException {
    return new FileWriter(name(name), charset, append);
  }

  @Replaces(value = RandomAccessFile.class, constructor = true)
  public static RandomAccessFile newRandomAccessFile(String name, String mode)
      throws FileNotFoundException {
    return new RandomAccessFile(name(name), mode);
  }

  @Replaces(value = PrintWriter.class, constructor = true)
  @SuppressWarnings("DefaultCharset") // the program asked for the default, and gets it
  public static PrintWriter newPrintWriter(String name) throws FileNotFoundException {
    return new PrintWriter(name(name));
  }

  @Replaces(value = PrintWriter.class, constructor = true)
  public static PrintWriter newPrintWriter(String name, String charset) throws IOException {
    return new PrintWriter(name(name), charset);
  }

  @Replaces(value = PrintWriter.class, constructor = true)
  public static PrintWriter newPrintWriter(String name, Charset charset) throws IOException {
    return new PrintWriter(name(name), charset);
  }

  @Replaces(value = PrintStream.class, constructor = true)
  public static PrintStream newPrintStream(String name) throws FileNotFoundException {
    return new PrintStream(name(name));
  }

  @Replaces(value = PrintStream.class, constructor = true)
  public static PrintStream newPrintStream(String name, String charset) throws IOException {
    return new PrintStream(name(name), charset);
  }

  @Replaces(value = PrintStream.class, constructor = true)
  public static PrintStream newPrintStream(String name, Charset charset) throws IOException {
    return new PrintStream(name(name), charset);
  }

  @Replaces(value = Formatter.class, constructor = true)
  public static Formatter newFormatter(String name) throws FileNotFoundException {
    return new Formatter(name(name));
  }

  @Replaces(value = Formatter.class, constructor = true)
  public static Formatter newFormatter(String name, String charset) throws IOException {
    return new Formatter(name(name), charset);
  }

  @Replaces(value = Formatter.class, constructor = true)
  public static Formatter newFormatter(String name, String charset, Locale locale)
      throws IOException {
    return new Formatter(name(name), charset, locale);
  }

  @Replaces(value = Formatter.class, constructor = true)
  public static Formatter newFormatter(String name, Charset charset, Locale locale)
      throws IOException {
    return new Formatter(name(name), charset, locale);
  }

  @Replaces(value = Scanner.class, constructor = true)
  @SuppressWarnings("DefaultCharset") // the program asked for the default, and gets it
  public static Scanner newScanner(Path path) throws IOException {
    return new Scanner(PathCalls.path(path));
  }

  @Replaces(value = Scanner.class, constructor = true)
  public static Scanner newScanner(Path path, String charset) throws IOException {
    return new Scanner(PathCalls.path(path), charset);
  }

  @Replaces(value = Scanner.class, constructor = true)
  public static Scanner newScanner(Path path, Charset charset) throws IOException {
    return new Scanner(PathCalls.path(path), charset);
  }

  @Replaces(value = ZipFile.class, constructor = true)
  public static ZipFile newZipFile(String name) throws IOException {
    return new ZipFile(name(name));
  }

  @Replaces(value = ZipFile.class, constructor = true)
  public static ZipFile newZipFile(String name, Charset charset) throws IOException {
    return new ZipFile(name(name), charset);
  }

  @Replaces(value = JarFile.class, constructor = true)
  public static JarFile newJarFile(String name) throws IOException {
    return new JarFile(name(name));
  }

  @Replaces(value = JarFile.class, constructor = true)
  public static JarFile newJarFile(String name, boolean verify) throws IOException {
    return new JarFile(name(name), verify);
  }

  /** After a subclass of the job's has made itself of a name: only absolute ones are the task's. */
  public static void inherited(File made) {
    if (!made.isAbsolute()) {
      ProcessNeed.because("File of a relative name, which it extends");
    }
  }
}
