// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.statics.StaticsTable;
import org.mammoth.engine.statics.TaskStatics;
import org.slf4j.Logger;

/** Compares what two tasks' own static fields of shared classes refer to. */
final class SharedObjects {

  private static final List<Class<?>> IMMUTABLE =
      List.of(
          String.class,
          Integer.class,
          Long.class,
          Boolean.class,
          Character.class,
          BigInteger.class,
          Class.class,
          ClassLoader.class,
          Enum.class,
          Executable.class,
          Pattern.class,
          Optional.class,
          Duration.class,
          Instant.class,
          InetSocketAddress.class,
          Logger.class);

  /** Classes whose objects cannot be changed, or hold nothing; looked at one by one. */
  private static final Set<String> STATELESS =
      Set.of(
          // Levels and buffer sizes that are final.
          "org.apache.avro.file.BZip2Codec$Option",
          "org.apache.avro.file.DeflateCodec$Option",
          "org.apache.avro.file.NullCodec$Option",
          "org.apache.avro.file.SnappyCodec$Option",
          "org.apache.avro.file.XZCodec$Option",
          "org.apache.avro.file.ZstandardCodec$Option",
          // Factories and a logger that hold nothing.
          "org.apache.hadoop.fs.FsServerDefaults$1",
          "org.apache.hadoop.fs.permission.FsPermission$1",
          "com.jcraft.jsch.JSch$1",
          // Without fields; tests of upstream put others in their place.
          "org.apache.hadoop.hdfs.client.impl.BlockReaderFactory$FailureInjector",
          "org.apache.hadoop.io.nativeio.NativeIO$POSIX$CacheManipulator",
          "org.apache.hadoop.mapreduce.security.SpillCallBackInjector",
          "org.apache.hadoop.util.DiskChecker$DefaultFileIoProvider",
          "com.sun.jna.Native$1",
          "io.netty.util.internal.logging.Slf4JLoggerFactory",
          "org.bouncycastle.crypto.CryptoServicesRegistrar$1",
          "org.jline.style.NopStyleSource",
          "org.xerial.snappy.buffer.CachedBufferAllocator$1",
          // A pool of buffers, for all who have not chosen another.
          "org.xerial.snappy.pool.CachingBufferPool",
          // Two constructors, a number, tables that nobody writes to once they are made.
          "io.netty.util.ResourceLeakDetectorFactory$DefaultResourceLeakDetectorFactory",
          "org.apache.commons.compress.archivers.zip.ZipShort",
          "org.apache.zookeeper.server.auth.KerberosName$Rule",
          "org.bouncycastle.asn1.x500.style.BCStyle",
          // A name and a pattern, both final.
          "org.apache.hadoop.hdfs.web.resources.StringParam$Domain",
          // A pattern and its parts, all final.
          "org.apache.hadoop.security.authentication.util.KerberosName$Rule",
          // Its bytes are never written to.
          "org.xbill.DNS.Name",
          // Its setters are for subclasses; programs compare it with the one there is.
          "org.apache.commons.lang3.builder.ToStringStyle$DefaultToStringStyle");

  private SharedObjects() {}

  static void check() throws Exception {
    Map<Object, String> first = objects(SharedJvm.newTask());
    Map<Object, String> second = objects(SharedJvm.newTask());
    Set<String> shared = new TreeSet<>();
    second.forEach(
        (object, holder) -> {
          if (first.containsKey(object) && !isImmutable(object)) {
            shared.add(holder + ": " + object.getClass().getName());
          }
        });
    SharedJvm.require(shared.isEmpty(), String.join("\n", shared));
  }

  /** All that the fields refer to, and what containers among it hold, with their class. */
  private static Map<Object, String> objects(TaskProcess task) throws Exception {
    return SharedJvm.in(
        task,
        () -> {
          Map<Object, String> found = new IdentityHashMap<>();
          List<String> names = StaticsTable.load().holderNames();
          for (int id = 0; id < names.size(); id++) {
            try {
              Class.forName(names.get(id).replace('/', '.'));
            } catch (ClassNotFoundException notOnThisClassPath) {
              continue;
            }
            for (Object value : TaskStatics.slots(id)) {
              add(value, names.get(id), found);
            }
          }
          return found;
        });
  }

  private static void add(Object value, String holder, Map<Object, String> found)
      throws IllegalAccessException {
    if (value == null || found.putIfAbsent(value, holder) != null) {
      return;
    }
    for (Object inner : contents(value)) {
      add(inner, holder + " > " + value.getClass().getSimpleName(), found);
    }
  }

  private static Collection<?> contents(Object value) throws IllegalAccessException {
    if (value instanceof Map) {
      List<Object> all = new ArrayList<>(((Map<?, ?>) value).keySet());
      all.addAll(((Map<?, ?>) value).values());
      return all;
    }
    if (value instanceof Collection) {
      return (Collection<?>) value;
    }
    if (value instanceof AtomicReference) {
      return Collections.singletonList(((AtomicReference<?>) value).get());
    }
    if (value instanceof Optional) {
      return ((Optional<?>) value).stream().toList();
    }
    if (value instanceof Object[]) {
      return Arrays.asList((Object[]) value);
    }
    // What a configuration refers to is upstream's matter: it is what two configurations share.
    return isImmutable(value)
            || value instanceof Configuration
            || value.getClass().getModule().isNamed()
        ? List.of()
        : fields(value);
  }

  private static List<Object> fields(Object value) throws IllegalAccessException {
    List<Object> all = new ArrayList<>();
    for (Class<?> type = value.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : declared(type)) {
        if (!Modifier.isStatic(field.getModifiers())
            && !field.getType().isPrimitive()
            && !type.getModule().isNamed()) {
          field.setAccessible(true);
          all.add(field.get(value));
        }
      }
    }
    return all;
  }

  private static Field[] declared(Class<?> type) {
    try {
      return type.getDeclaredFields();
    } catch (NoClassDefFoundError e) {
      // It is for another platform, and does nothing here.
      return new Field[0];
    }
  }

  private static boolean isImmutable(Object object) {
    return IMMUTABLE.stream().anyMatch(type -> type.isInstance(object))
        || object.getClass().isHidden()
        || object instanceof Map && ((Map<?, ?>) object).isEmpty() && isOfList(object)
        || object instanceof Collection && isOfList(object)
        || STATELESS.contains(object.getClass().getName());
  }

  private static boolean isOfList(Object object) {
    return object.getClass().getName().startsWith("java.util.ImmutableCollections");
  }
}
