// SPDX-License-Identifier: Apache-2.0
package org.mammoth.engine.statics;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Objects;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.mammoth.engine.isolation.SecondTry;
import org.mammoth.engine.isolation.rewrite.MadeClasses;
import org.mammoth.engine.isolation.standins.jvm.DefaultsHook;
import org.mammoth.engine.isolation.standins.jvm.ProcessHook;
import org.mammoth.engine.upstream.FastRecords;
import org.mammoth.engine.upstream.OwnObjects;
import org.mammoth.engine.upstream.ParsedResources;
import org.objectweb.asm.ClassReader;

/**
 * The engine's Java agent: rewrites shared classes as they load, and those that jobs have other
 * loaders than {@link org.mammoth.engine.isolation.TaskClassLoader} define. An agent is the only
 * one who sees every class before it is defined.
 */
public final class StaticsAgent implements ClassFileTransformer {

  private static final int FAILED = 70;

  /** Beside those that another thread makes. */
  private static final int TRIES = 10;

  /** The JVM refuses it as no class file. */
  private static final byte[] NO_CLASS = {0};

  private static final String FAST_RECORDS = "fast-records";
  private static final String KEPT_IN = "kept-in=";
  private static final String OURS = "org/mammoth/";
  private static final String LIBRARY = ClassReader.class.getPackageName().replace('.', '/') + "/";

  /** Made when the first class must be rewritten, which takes a moment. */
  private static final class Rewriter {
    static final StaticsRewriter STATICS =
        new StaticsRewriter(StaticsTable.load(), StaticsAgent.class.getClassLoader());
    static final FastRecords RECORDS = new FastRecords();
  }

  private final ClassLoader shared = StaticsAgent.class.getClassLoader();
  private final boolean fastRecords;
  private final RewrittenClasses kept;
  private final AddedJars added = new AddedJars();
  private final SecondTry second = SecondTry.start();
  private final JvmEnd end = JvmEnd.prepare(Runtime.getRuntime()::halt, FAILED);

  /** Whether there is a {@link Rewriter}. */
  private volatile boolean canRewrite;

  private StaticsAgent(boolean fastRecords, RewrittenClasses kept) {
    this.fastRecords = fastRecords;
    this.kept = kept;
  }

  /** Called by the JVM before the main class is loaded. */
  public static void premain(String arguments, Instrumentation instrumentation) {
    String told = arguments == null ? "" : arguments;
    int file = told.indexOf(KEPT_IN);
    RewrittenClasses kept = file < 0 ? null : open(told.substring(file + KEPT_IN.length()));
    String refused = DefaultsHook.install(instrumentation);
    if (refused != null) {
      System.err.println(
          "Tasks that set a default locale or time zone need processes, as this JVM does not let"
              + " the JDK ask for a task's own: "
              + refused);
    }
    String unasked = ProcessHook.install(instrumentation);
    if (unasked != null) {
      System.err.println(
          "A library that ends the JVM by reflection ends the engine, as this JVM does not let the"
              + " JDK ask whose exit it is: "
              + unasked);
    }
    // After that: with a class archive that has this class and not that one, jars are opened here
    // for
    // the first time, and what opens them cannot be loaded while it is asked to transform itself.
    instrumentation.addTransformer(new StaticsAgent(told.startsWith(FAST_RECORDS), kept));
  }

  private static RewrittenClasses open(String file) {
    try {
      return RewrittenClasses.open(Path.of(file));
    } catch (IOException e) {
      System.err.println("The engine starts slower, as it rewrites all classes itself: " + e);
      return null;
    }
  }

  /**
   * What a JVM is started with to have this agent.
   *
   * @param jar written by {@link #writeJar}
   * @param fastRecords whether the classes of {@link FastRecords} are to be made faster, too
   */
  public static String option(Path jar, boolean fastRecords) {
    return "-javaagent:" + jar + (fastRecords ? "=" + FAST_RECORDS : "");
  }

  /**
   * The same, for a JVM that shares its work with others.
   *
   * @param keptIn file of the classes that earlier JVMs of the same options, class path and release
   *     have rewritten; made if it is not there
   */
  public static String option(Path jar, boolean fastRecords, Path keptIn) {
    return option(jar, fastRecords) + (fastRecords ? "," : "=") + KEPT_IN + keptIn;
  }

  /** Writes the jar that {@code -javaagent} names; this class itself comes by the class path. */
  public static void writeJar(Path jar) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", StaticsAgent.class.getName());
    attributes.putValue("Can-Retransform-Classes", "true");
    try (OutputStream out = Files.newOutputStream(jar)) {
      new JarOutputStream(out, manifest).close();
    }
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String name,
      Class<?> known,
      ProtectionDomain domain,
      byte[] code) {
    // What is loaded within an agent is not shown to it; so it is on the thread that helps it.
    if (second.isOn()) {
      return null;
    }
    for (int left = TRIES; ; left--) {
      try {
        byte[] rewritten =
            loader == shared
                ? ofShared(module, name, domain, code)
                : MadeClasses.rewrite(module, loader, name, code, second);
        return rewritten == code ? null : rewritten;
      } catch (RuntimeException | Error e) {
        if (left > 0 && (e instanceof OutOfMemoryError || e instanceof ThreadDeath)) {
          // Nothing has been given away yet, nor was memory waited for; whoever stops a thread does
          // so again.
          continue;
        }
        if (loader != shared || e instanceof StackOverflowError) {
          // The JVM would use the class as it is: better none.
          return NO_CLASS;
        }
        // Tasks would share what they must not.
        end.come("The engine ends, as " + name, e);
      }
    }
  }

  /** The class as it is to be defined; null or the same array if nothing of it changes. */
  private byte[] ofShared(Module module, String name, ProtectionDomain domain, byte[] code) {
    if (name == null || isNeededHere(name) || isProxy(module)) {
      return null;
    }
    boolean isNamed = module.isNamed();
    return second.of(
        () -> {
          byte[] before = kept == null ? null : kept.find(name, code);
          return before == null ? rewrite(isNamed, name, domain, code) : before;
        });
  }

  private byte[] rewrite(boolean isNamed, String name, ProtectionDomain domain, byte[] code) {
    if (!canRewrite && !second.isOn()) {
      // There: what fails while it is made is never made.
      second.here(StaticsAgent::makeRewriter);
      canRewrite = true;
    }
    byte[] rewritten = rewritten(isNamed, name, code, fastRecords);
    if (!isNamed && added.has(domain)) {
      rewritten = Rewriter.STATICS.rewriteUsesOfAdded(name, rewritten);
    }
    if (kept != null) {
      kept.keep(name, code, rewritten);
    }
    return rewritten;
  }

  private static byte[] makeRewriter() {
    Objects.requireNonNull(Rewriter.STATICS);
    return NO_CLASS;
  }

  /** Annotations are proxies, and the table of calls is made of annotations. */
  private static boolean isProxy(Module module) {
    return module.isNamed() && module.getName().startsWith("jdk.proxy");
  }

  /**
   * A class as engines define it.
   *
   * @param ofModule whether it belongs to a named module
   * @param fastRecords whether the classes of {@link FastRecords} are to be made faster, too
   * @return {@code code} itself if nothing of it changes
   * @throws RuntimeException if it cannot be rewritten
   */
  static byte[] rewritten(boolean ofModule, String name, byte[] code, boolean fastRecords) {
    return ofModule
        ? Rewriter.STATICS.rewriteOfModule(code)
        : Rewriter.STATICS.rewrite(name, faster(name, code, fastRecords));
  }

  private static Optional<byte[]> changed(String name, byte[] code, boolean fastRecords) {
    OwnObjects made = OwnObjects.madeIn(name);
    if (made != null) {
      return made.rewrite(code);
    }
    if (name.equals(ParsedResources.CONFIGURATION)) {
      return ParsedResources.rewrite(code);
    }
    return fastRecords ? Rewriter.RECORDS.rewrite(name, code) : Optional.of(code);
  }

  private static byte[] faster(String name, byte[] code, boolean fastRecords) {
    Optional<byte[]> faster = changed(name, code, fastRecords);
    if (faster.isEmpty()) {
      System.err.println(
          "The engine leaves "
              + name
              + " as it is, and slower: this Hadoop makes it otherwise than is known here");
    }
    return faster.orElse(code);
  }

  /**
   * Whether a class stays as it is: ours know whose calls theirs are, and the library's are used to
   * rewrite others.
   *
   * @param name with slashes
   */
  public static boolean isNeededHere(String name) {
    return name.startsWith(OURS) || name.startsWith(LIBRARY);
  }
}
