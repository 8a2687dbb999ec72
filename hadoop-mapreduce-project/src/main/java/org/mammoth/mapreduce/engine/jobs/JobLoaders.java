// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine.jobs;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.ApplicationClassLoader;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.config.EngineKeys.LoaderReuse;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.purge.LeakPurge;
import org.mammoth.engine.isolation.rewrite.CallRewriter;
import org.mammoth.engine.statics.StaticsRewriter;
import org.mammoth.engine.statics.StaticsTable;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Class loaders of user code. By default each attempt has its own; a job may let attempts that
 * follow each other share one ({@code mammoth.engine.classloader.reuse=slot}), never two at a time.
 * Thread-safe.
 */
public final class JobLoaders {

  private static final Logger LOG = LoggerFactory.getLogger(JobLoaders.class);

  /** Loaders kept for attempts to come, over all jobs. */
  private static final int KEPT = 16;

  private record Kept(String job, TaskClassLoader loader) {}

  private final LeakPurge purge;
  private final ClassLoader parent = JobLoaders.class.getClassLoader();
  private final NodeJars nodeJars = new NodeJars(System.getProperty("java.class.path"));
  private final StaticsRewriter fields = new StaticsRewriter(StaticsTable.load(), parent);

  @GuardedBy("idle")
  private final Deque<Kept> idle = new ArrayDeque<>();

  @GuardedBy("idle")
  private final Map<TaskClassLoader, String> reusable = new HashMap<>();

  public JobLoaders(LeakPurge purge) {
    this.purge = purge;
  }

  /** A loader for one attempt, bound to its process. */
  public TaskClassLoader acquire(
      JobConf job, String jobId, ContainerLaunchSpec launch, TaskProcess process)
      throws IOException {
    boolean reuse = EngineKeys.LOADER_REUSE.get(job) == LoaderReuse.SLOT;
    TaskClassLoader loader = reuse ? takeIdle(jobId) : null;
    // Each attempt has its own folder, and stock's class path begins with it.
    List<String> ofJob = new ArrayList<>(launch.classPath());
    List<String> ofNode = new ArrayList<>(launch.nodeClassPath());
    Path folder = Path.of(launch.workDir()).toAbsolutePath().normalize();
    boolean seesFolder = ofJob.remove(folder.toString()) | ofNode.remove(folder.toString());
    nodeJars.keep(ofJob);
    nodeJars.keep(ofNode);
    if (loader == null) {
      loader = create(job, process.name(), reuse ? withoutLinks(ofJob) : ofJob);
      loader.behind(urls(ofNode));
    }
    if (reuse) {
      synchronized (idle) {
        reusable.put(loader, jobId);
      }
    }
    loader.bind(process, seesFolder ? named(folder.toFile(), job) : null);
    return loader;
  }

  private TaskClassLoader takeIdle(String jobId) {
    synchronized (idle) {
      for (Iterator<Kept> each = idle.iterator(); each.hasNext(); ) {
        Kept kept = each.next();
        if (kept.job().equals(jobId)) {
          each.remove();
          return kept.loader();
        }
      }
      return null;
    }
  }

  /** As the loader that stock has for the job names it: the JVM's own follows links. */
  private static File named(File folder, JobConf job) throws IOException {
    boolean isOwn = job.getBoolean(MRJobConfig.MAPREDUCE_JOB_CLASSLOADER, false);
    return isOwn ? folder : folder.getCanonicalFile();
  }

  /** For attempts to come: the links of this one's folder end with it. */
  static List<String> withoutLinks(List<String> files) throws IOException {
    List<String> real = new ArrayList<>();
    for (String file : files) {
      real.add(withoutLinks(file));
    }
    return real;
  }

  private static String withoutLinks(String file) throws IOException {
    try {
      return Path.of(file).toRealPath().toString();
    } catch (NoSuchFileException e) {
      // Gone since its launch was judged: a command line passes over it, too.
      LOG.debug("{} is not there any more", file, e);
      return file;
    }
  }

  private static URL[] urls(List<String> files) throws MalformedURLException {
    URL[] urls = new URL[files.size()];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = new File(files.get(i)).toURI().toURL();
    }
    return urls;
  }

  private TaskClassLoader create(JobConf job, String name, List<String> classPath)
      throws MalformedURLException {
    URL[] urls = urls(classPath);
    if (!job.getBoolean(MRJobConfig.MAPREDUCE_JOB_CLASSLOADER, false)) {
      return new TaskClassLoader(
          name, urls, parent, null, CallRewriter.standard(), fields::rewriteUses);
    }
    List<String> system = new ArrayList<>();
    for (String pattern :
        job.getStrings(
            MRJobConfig.MAPREDUCE_JOB_CLASSLOADER_SYSTEM_CLASSES,
            ApplicationClassLoader.SYSTEM_CLASSES_DEFAULT.split(","))) {
      system.add(pattern.trim());
    }
    return new TaskClassLoader(
        name, urls, parent, system, CallRewriter.standard(), fields::rewriteUses);
  }

  /** Takes a loader back at its attempt's end; {@code clean} says that no thread of it is left. */
  public void release(TaskClassLoader loader, boolean clean) {
    TaskClassLoader doomed = loader;
    synchronized (idle) {
      String job = reusable.remove(loader);
      if (job != null && clean) {
        idle.addFirst(new Kept(job, loader));
        doomed = idle.size() > KEPT ? idle.removeLast().loader() : null;
      }
    }
    if (doomed != null) {
      discard(doomed);
    }
  }

  private void discard(TaskClassLoader loader) {
    try {
      loader.close();
    } catch (IOException e) {
      LOG.warn("Could not close the class loader of {}", loader, e);
    }
    for (String problem : purge.purge(loader)) {
      LOG.warn("A dead class loader may be kept: {}", problem);
    }
  }
}
