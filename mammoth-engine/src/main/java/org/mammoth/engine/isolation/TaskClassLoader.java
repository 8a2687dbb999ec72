// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.isolation;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.CodeSource;
import java.sql.Driver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.jar.Manifest;
import org.mammoth.engine.isolation.classfile.PackageMates;
import org.mammoth.engine.isolation.loading.ClassPath;
import org.mammoth.engine.isolation.loading.ClassPathEntry;
import org.mammoth.engine.isolation.loading.SharedResources;
import org.mammoth.engine.isolation.loading.SystemClasses;

/**
 * Loads a task's user classes, each rewritten so that what it calls of the process goes to {@link
 * ProcessCalls} and its neighbours.
 *
 * <p>Parent first, as on a stock class path, or child first but for system classes, as with {@code
 * mapreduce.job.classloader}. Classes the parent defines are never rewritten. Parallel capable.
 * Close it when the attempt is over, then run {@code LeakPurge}.
 */
public final class TaskClassLoader extends URLClassLoader {
  static {
    registerAsParallelCapable();
  }

  // Not the loader's own name: the JVM would put that before every frame of a stack trace.
  private final String label;
  private final ClassPath classPath;

  /** What is looked for where neither the job's jars nor the parent have it. */
  private volatile ClassPath behind = new ClassPath(new URL[0]);

  private final boolean childFirst;
  private final SystemClasses systemClasses;
  private final ClassRewriter rewriter;
  private final BiFunction<TaskClassLoader, byte[], byte[]> more;
  private volatile TaskProcess process;

  /** The folder the task runs in, where that is on its class path. */
  private volatile ClassPathEntry folder;

  private final Map<String, Boolean> services = new ConcurrentHashMap<>();
  private final Map<String, Boolean> sharedPackages = new ConcurrentHashMap<>();
  private final Map<String, Boolean> brought = new ConcurrentHashMap<>();
  private final AtomicBoolean driversLoaded = new AtomicBoolean();
  private volatile boolean hasDrivers;
  private final ThreadLocal<Boolean> defining = new ThreadLocal<>();

  /**
   * A parent-first loader.
   *
   * @param name for messages
   * @param rewriter changes each class
   */
  public TaskClassLoader(String name, URL[] urls, ClassLoader parent, ClassRewriter rewriter) {
    this(name, urls, parent, null, rewriter, (loader, code) -> code);
  }

  /**
   * A loader.
   *
   * @param name for messages
   * @param systemPatterns what the parent provides first, in the syntax of
   *     mapreduce.job.classloader.system.classes; null has the parent provide all it can
   * @param rewriter changes each class
   * @param more what else to change in each class, given this loader and the class file
   */
  public TaskClassLoader(
      String name,
      URL[] urls,
      ClassLoader parent,
      List<String> systemPatterns,
      ClassRewriter rewriter,
      BiFunction<TaskClassLoader, byte[], byte[]> more) {
    super(urls, parent);
    label = name;
    classPath = new ClassPath(urls);
    childFirst = systemPatterns != null;
    systemClasses = new SystemClasses(childFirst ? systemPatterns : List.of());
    this.rewriter = rewriter.seeing(this::getResourceAsStream);
    this.more = more;
  }

  /**
   * Adds what comes after the parent's, and before anything is loaded: jars of the node beside
   * those that all share, which a child-first loader of a process would have above it.
   */
  public void behind(URL[] urls) {
    behind = new ClassPath(urls);
  }

  /**
   * Says whose classes these are, for calls from threads the task did not make (the common pool's).
   * A loader used again for another attempt is bound again; null unbinds.
   */
  public void bind(TaskProcess owner) {
    bind(owner, null);
  }

  /**
   * The same.
   *
   * @param seenFolder the folder it runs in, as its class path names it, or null if that does not
   *     begin with it: as stock's, before the parent's unless it is child-first; what is put there
   *     later is found, too
   */
  public void bind(TaskProcess owner, File seenFolder) {
    process = owner;
    folder = owner != null && seenFolder != null ? ClassPathEntry.folder(seenFolder) : null;
    if (owner != null) {
      owner.loader(this);
    }
  }

  /** Whether the job's own jars and folders name providers of a service. */
  public boolean hasServices(Class<?> service) {
    // Asked where a program may ask for each record.
    return services.computeIfAbsent(
        service.getName(), name -> findResource("META-INF/services/" + name) != null);
  }

  /**
   * Whether a process would find a class of this loader from its start: not those of the job's jars
   * where {@code mapreduce.job.classloader} gives these a loader that it makes later.
   */
  public boolean isThereFromStart(Class<?> type) {
    return !childFirst || classPath.find(fileOf(type.getName())) == null;
  }

  /**
   * Whether a class is the parent's, which all tasks share, or would be.
   *
   * @param name with slashes
   */
  public boolean isShared(String name) {
    boolean isOursFirst = childFirst && !systemClasses.contains(name.replace('/', '.'));
    String file = name.concat(".class");
    boolean isParents = getParent() != null && getParent().getResource(file) != null;
    return isOursFirst
        ? classPath.find(file) == null && (isParents || behind.find(file) == null)
        : isParents;
  }

  /**
   * Whether a class is in the job's jars and in no shared one.
   *
   * @param name with dots
   */
  public boolean brings(String name) {
    return brought.computeIfAbsent(
        name,
        n -> {
          String file = n.replace('.', '/').concat(".class");
          return getParent().getResource(file) == null && findResource(file) != null;
        });
  }

  /** Whether it is beside the loader of a process, not a part of it. */
  public boolean isChildFirst() {
    return childFirst;
  }

  /** The process that it is bound to; null if to none. */
  public TaskProcess process() {
    return process;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!childFirst) {
      return super.loadClass(name, resolve);
    }
    if (systemClasses.contains(name)) {
      // As ApplicationClassLoader has it: the job's own are never asked for these.
      Class<?> c = findLoadedClass(name);
      return c == null ? loadSystemClass(name) : c;
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> c = findLoadedClass(name);
      if (c == null) {
        ClassPathEntry.Found own = find(fileOf(name));
        if (own == null) {
          return super.loadClass(name, resolve);
        }
        c = define(name, own);
      }
      if (resolve) {
        resolveClass(c);
      }
      return c;
    }
  }

  private Class<?> loadSystemClass(String name) throws ClassNotFoundException {
    try {
      return getParent().loadClass(name);
    } catch (ClassNotFoundException e) {
      ClassPathEntry.Found found = behind.find(fileOf(name));
      if (found == null) {
        throw e;
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> c = findLoadedClass(name);
        return c == null ? define(name, found) : c;
      }
    }
  }

  private static String fileOf(String className) {
    return className.replace('.', '/').concat(".class");
  }

  @Override
  public URL getResource(String name) {
    if (childFirst && systemClasses.contains(name)) {
      URL shared = getParent().getResource(name);
      return shared == null ? url(behind.find(name)) : shared;
    }
    URL first = url(childFirst ? find(name) : inFolder(name));
    if (first == null && childFirst && name.startsWith("/")) {
      first = url(find(name.substring(1)));
    }
    return first == null ? afterParent(name) : first;
  }

  /** As {@code ClassLoader.getResource}. */
  private URL afterParent(String name) {
    ClassLoader parent = getParent();
    URL shared = parent == null ? null : SharedResources.resource(parent, name);
    if (shared != null) {
      return shared;
    }
    return parent == null ? super.getResource(name) : findResource(name);
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    Enumeration<URL> others = super.getResources(name);
    URL first = childFirst ? null : url(inFolder(name));
    if (first == null) {
      return others;
    }
    List<URL> all = new ArrayList<>(List.of(first));
    all.addAll(Collections.list(others));
    return Collections.enumeration(all);
  }

  @Override
  public URL findResource(String name) {
    return url(findAnywhere(name));
  }

  /** Without what {@link #getResources} has found before the parent's. */
  @Override
  public Enumeration<URL> findResources(String name) {
    List<URL> all = new ArrayList<>();
    URL first = childFirst ? url(inFolder(name)) : null;
    if (first != null) {
      all.add(first);
    }
    all.addAll(classPath.findAll(name));
    all.addAll(behind.findAll(name));
    return Collections.enumeration(all);
  }

  private ClassPathEntry.Found find(String name) {
    ClassPathEntry.Found first = inFolder(name);
    return first == null ? classPath.find(name) : first;
  }

  private ClassPathEntry.Found findAnywhere(String name) {
    ClassPathEntry.Found first = find(name);
    return first == null ? behind.find(name) : first;
  }

  private ClassPathEntry.Found inFolder(String name) {
    ClassPathEntry own = folder;
    return own == null ? null : own.find(name);
  }

  private static URL url(ClassPathEntry.Found found) {
    return found == null ? null : found.url();
  }

  @Override
  public InputStream getResourceAsStream(String name) {
    URL url = getResource(name);
    try {
      return url == null ? null : url.openStream();
    } catch (IOException e) {
      return null;
    }
  }

  @Override
  protected void addURL(URL url) {
    super.addURL(url);
    classPath.add(url);
    services.clear();
    brought.clear();
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    ClassPathEntry.Found found = findAnywhere(fileOf(name));
    if (found == null) {
      // In the JDK's words: programs print them.
      throw new ClassNotFoundException(name);
    }
    return define(name, found);
  }

  private Class<?> define(String name, ClassPathEntry.Found found) throws ClassNotFoundException {
    try {
      byte[] original;
      try (InputStream in = found.open()) {
        original = in.readAllBytes();
      }
      int dot = name.lastIndexOf('.');
      if (dot > 0) {
        definePackageOnce(name.substring(0, dot), found.entry().manifest(), found.entry().base());
      }
      askForMates(name, original);
      byte[] code = rewrite(name, original);
      CodeSource source = new CodeSource(found.entry().base(), found.signers());
      return define(name, code, source);
    } catch (IOException e) {
      throw new ClassNotFoundException(name + " (could not be read from " + found.url() + ")", e);
    }
  }

  /** The loader that has the classes of a job, if it is this one or above it; or null. */
  public static TaskClassLoader above(ClassLoader loader) {
    for (ClassLoader each = loader; each != null; each = each.getParent()) {
      if (each instanceof TaskClassLoader) {
        return (TaskClassLoader) each;
      }
    }
    return null;
  }

  private Class<?> define(String name, byte[] code, CodeSource source) {
    defining.set(true);
    try {
      return defineClass(name, code, 0, code.length, source);
    } finally {
      defining.remove();
    }
  }

  /** Whether the calling thread defines a class of the job's jars, which is rewritten already. */
  public boolean isDefining() {
    return defining.get() != null;
  }

  /**
   * A class that the job's code makes as it runs, or has a loader of its own define.
   *
   * @param plain the loader, if it sees what this one sees and nothing else in its place; or null
   * @return the same array if nothing of it changes; null if it cannot be said how it is to change
   */
  public byte[] rewriteMade(byte[] original, ClassLoader plain) {
    boolean isPlain = plain != null;
    ClassRewriter of = isPlain ? rewriter.seeing(plain::getResourceAsStream) : rewriter;
    byte[] code = of.rewrite(original);
    byte[] all = more.apply(this, code);
    return all == code || isPlain ? all : null;
  }

  /** The class as it is defined here; ends the attempt if that cannot be made of it. */
  private byte[] rewrite(String name, byte[] original) {
    try {
      return more.apply(this, rewriter.rewrite(original));
    } catch (RuntimeException e) { // ASM throws many kinds; the JVM may take the class as it is
      TaskProcess owner = process;
      if (owner != null) {
        owner.needProcess("its class " + name + " cannot be rewritten: " + e);
        return original;
      }
      throw e;
    }
  }

  /** Ends the attempt if a class uses what only a process's one class loader lets it use. */
  private void askForMates(String name, byte[] code) {
    int dot = name.lastIndexOf('.');
    TaskProcess owner = process;
    boolean hasMates = owner != null && dot >= 0 && isSharedPackage(name.substring(0, dot));
    // A child-first loader is one of its own in a process, too, but for what is behind it.
    if (!hasMates || childFirst && find(fileOf(name)) != null) {
      return;
    }
    String use = new PackageMates(code, getParent(), this::isShared).use();
    if (use != null) {
      owner.needProcess(name + " uses " + use + " of its package");
    }
  }

  /** Whether there are shared classes of that package; looked for once, in all shared jars. */
  private boolean isSharedPackage(String name) {
    return sharedPackages.computeIfAbsent(
        name,
        n -> getParent() != null && getParent().getResource(n.replace('.', '/') + '/') != null);
  }

  /** Called when a class of this loader registered itself as a JDBC driver. */
  public void registeredDriver() {
    hasDrivers = true;
  }

  /** Has the drivers that the job's jars name as services register themselves, once. */
  public void loadDrivers() {
    if (driversLoaded.compareAndSet(false, true) && hasServices(Driver.class)) {
      Iterator<Driver> found = ServiceLoader.load(Driver.class, this).iterator();
      try {
        while (found.hasNext()) {
          found.next();
        }
      } catch (ServiceConfigurationError | LinkageError e) {
        // As in DriverManager, one that cannot be loaded ends the search without a word.
        return;
      }
    }
  }

  /**
   * An object of a copy of one of our classes that this loader defines, for what the JDK lets only
   * code of a loader's own classes do.
   *
   * @param type a public class with a public constructor that takes nothing
   * @param as what it is used as, which is no copy
   */
  <T> T copyOf(Class<? extends T> type, Class<T> as) {
    synchronized (getClassLoadingLock(type.getName())) {
      try {
        Class<?> copy = findLoadedClass(type.getName());
        if (copy == null) {
          try (InputStream in = type.getResourceAsStream(fileName(type))) {
            byte[] code = in.readAllBytes();
            copy = define(type.getName(), code, null);
          }
        }
        return as.cast(copy.getConstructor().newInstance());
      } catch (IOException | ReflectiveOperationException e) {
        throw new IllegalStateException(this + " cannot have a class " + type.getName(), e);
      }
    }
  }

  private static String fileName(Class<?> type) {
    return type.getName().substring(type.getPackageName().length() + 1) + ".class";
  }

  private void withdrawDrivers() throws IOException {
    try {
      copyOf(DriverWithdrawal.class, Runnable.class).run();
    } catch (LinkageError | RuntimeException e) {
      throw new IOException("JDBC drivers of " + this + " stay registered and keep its classes", e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      if (hasDrivers) {
        hasDrivers = false;
        withdrawDrivers();
      }
    } finally {
      super.close();
      classPath.close();
      behind.close();
    }
  }

  private void definePackageOnce(String pkg, Manifest manifest, URL base) {
    if (getDefinedPackage(pkg) != null) {
      return;
    }
    try {
      if (manifest == null) {
        definePackage(pkg, null, null, null, null, null, null, null);
      } else {
        definePackage(pkg, manifest, base);
      }
    } catch (IllegalArgumentException definedMeanwhile) {
      if (getDefinedPackage(pkg) == null) {
        throw definedMeanwhile;
      }
    }
  }

  @Override
  public String toString() {
    return "loader of " + label;
  }
}
