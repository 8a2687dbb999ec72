// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.sort;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Set;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapreduce.Reducer;
import org.mammoth.engine.isolation.classfile.JobClassReader;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;

/**
 * Proves of a combiner, from its code, that what it does for one key depends on that key and its
 * values alone and leaves the key object as it is: sums, counts, minima. Such a combiner may see
 * keys in the order of a hash table, and a key once instead of with each value. Whatever the proof
 * does not cover (fields that change, calls of code that is not known, other overridden methods)
 * gets what stock Hadoop gives: keys in their order, and read anew with each value.
 */
final class CombinerCode {

  private static final String REDUCE = "reduce";

  /** Methods that go from group to group, or emit what is left when all have gone by. */
  private static final Set<String> BEYOND_A_GROUP = Set.of("run", "cleanup", "close");

  /** Methods that may emit, too, each time that a combiner runs. */
  private static final Set<String> BEFORE_ALL_GROUPS = Set.of("setup", "configure");

  private static final Set<Class<?>> BASES =
      Set.of(Object.class, Reducer.class, MapReduceBase.class);

  private CombinerCode() {}

  /** Whether each group is reduced for itself alone, and its key left as it is. */
  static boolean isOfOneGroup(Class<?> combiner) {
    try {
      for (Class<?> each = combiner; !BASES.contains(each); each = each.getSuperclass()) {
        if (declares(each, BEYOND_A_GROUP) || !isProven(each, combiner)) {
          return false;
        }
      }
      return true;
    } catch (IOException | LinkageError | RuntimeException e) {
      // no file of the class, one of a later Java, or a class that it names is missing: no proof
      return false;
    }
  }

  /**
   * Whether it does not show in the result in which order a combiner or reducer sees the values of
   * a key, nor how often it runs as a combiner, on which of them. Such a one is {@link
   * #isOfOneGroup of one group}, too.
   */
  static boolean isExactFold(Class<?> reducer) {
    try {
      return !declares(reducer, BEYOND_A_GROUP)
          && !declares(reducer, BEFORE_ALL_GROUPS)
          && BASES.contains(reducer.getSuperclass())
          && ExactFold.isProven(reducer);
    } catch (LinkageError | RuntimeException e) {
      // a class that any of its methods names is missing, which nobody else may ever ask for
      return false;
    }
  }

  /** Whether writing a key leaves it as it is: a class of a job's may do anything then. */
  static boolean isPlainKey(Class<?> key) {
    return key.getName().startsWith("org.apache.hadoop.io.");
  }

  private static boolean declares(Class<?> each, Set<String> names) {
    for (Method method : each.getDeclaredMethods()) {
      if (names.contains(method.getName()) && method.getParameterCount() <= 1) {
        return true;
      }
    }
    return false;
  }

  private static boolean isProven(Class<?> each, Class<?> combiner) throws IOException {
    ClassNode read = read(each);
    if (read == null) {
      return false;
    }
    for (MethodNode method : read.methods) {
      if (method.name.equals(REDUCE) && !isProven(read.name, method, combiner)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isProven(String owner, MethodNode method, Class<?> combiner) {
    if ((method.access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE | Opcodes.ACC_STATIC)) != 0) {
      return (method.access & Opcodes.ACC_ABSTRACT) != 0;
    }
    try {
      CombinerTrace trace = new CombinerTrace(combiner);
      new Analyzer<>(trace).analyze(owner, method);
      return trace.setsWhatItWrites(method.instructions);
    } catch (AnalyzerException e) {
      return false;
    }
  }

  /** The class file's contents; null if there is none. */
  static ClassNode read(Class<?> each) throws IOException {
    ClassLoader loader = each.getClassLoader();
    String file = each.getName().replace('.', '/') + ".class";
    try (InputStream code = loader == null ? null : loader.getResourceAsStream(file)) {
      if (code == null) {
        return null;
      }
      ClassNode read = new ClassNode();
      new JobClassReader(code.readAllBytes())
          .accept(read, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
      return read;
    }
  }
}
