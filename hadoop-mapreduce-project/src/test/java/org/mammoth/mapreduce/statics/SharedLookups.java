// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import javax.tools.ToolProvider;
import org.apache.commons.lang3.SerializationUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.serializer.Deserializer;
import org.apache.hadoop.io.serializer.JavaSerialization;
import org.apache.hadoop.io.serializer.Serializer;
import org.mammoth.engine.isolation.TaskClassLoader;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.rewrite.CallRewriter;
import org.mammoth.engine.isolation.standins.LoaderCalls;

/** What shared classes look up where they come from is found among the job's, too. */
final class SharedLookups {

  private static final String SOURCE =
      "public class OfJob implements java.io.Serializable { public interface Face {} }";

  private SharedLookups() {}

  /** Libraries and Hadoop read objects of the job's classes, and proxies of its interfaces. */
  static void objects(Path folder) throws Exception {
    in(
        folder,
        loader -> {
          Class<?> type = loader.loadClass("OfJob");
          Serializable object = (Serializable) type.getConstructor().newInstance();
          SharedJvm.require(
              SerializationUtils.deserialize(bytes(object)).getClass() == type, "not the job's");
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          Serializer<Serializable> writer =
              new JavaSerialization().getSerializer(Serializable.class);
          writer.open(bytes);
          writer.serialize(object);
          Deserializer<Serializable> reader =
              new JavaSerialization().getDeserializer(Serializable.class);
          reader.open(new ByteArrayInputStream(bytes.toByteArray()));
          SharedJvm.require(reader.deserialize(null).getClass() == type, "not Hadoop's");
          Class<?> face = loader.loadClass("OfJob$Face");
          Object proxy =
              Proxy.newProxyInstance(loader, new Class<?>[] {face}, new SerializableHandler());
          SharedJvm.require(
              face.isInstance(SerializationUtils.deserialize(bytes(proxy))), "another interface");
        });
  }

  /** By the loader that has Hadoop's classes, whoever asks it. */
  static void names(Path folder) throws Exception {
    in(
        folder,
        loader -> {
          ClassLoader shared = Configuration.class.getClassLoader();
          Class<?> type = loader.loadClass("OfJob");
          SharedJvm.require(LoaderCalls.loadClass(shared, "OfJob") == type, "not loaded");
          SharedJvm.require(LoaderCalls.forName("OfJob", false, shared) == type, "not found");
          URL file = loader.getResource("OfJob.class");
          SharedJvm.require(file.equals(LoaderCalls.getResource(shared, "OfJob.class")), "no file");
          SharedJvm.require(
              file.equals(LoaderCalls.getResource(Configuration.class, "/OfJob.class")), "no file");
          Configuration conf = new Configuration(false);
          conf.setClassLoader(shared);
          SharedJvm.require(conf.getClassByName("OfJob") == type, "Configuration finds none");
        });
  }

  private interface Check {
    void of(TaskClassLoader loader) throws Exception;
  }

  /** Of two jobs with classes of one name, each finds its own. */
  private static void in(Path folder, Check check) throws Exception {
    for (int job = 0; job < 2; job++) {
      Path classes = Files.createTempDirectory(folder, "classes");
      Path source = Files.writeString(classes.resolve("OfJob.java"), SOURCE);
      int rc =
          ToolProvider.getSystemJavaCompiler()
              .run(null, null, null, "-d", classes.toString(), source.toString());
      SharedJvm.require(rc == 0, "does not compile");
      URL[] urls = {classes.toUri().toURL()};
      TaskProcess task = SharedJvm.newTask();
      try (TaskClassLoader loader =
          new TaskClassLoader(
              "job", urls, SharedLookups.class.getClassLoader(), CallRewriter.standard())) {
        loader.bind(task);
        Callable<Void> work =
            () -> {
              check.of(loader);
              return null;
            };
        SharedJvm.in(task, work);
        Callable<Boolean> childFirst = () -> isHidden(urls);
        SharedJvm.require(SharedJvm.in(SharedJvm.newTask(), childFirst), "found without asking");
      }
    }
  }

  /** A job that asks for a loader of its own has its classes beside Hadoop's, not among them. */
  private static boolean isHidden(URL[] urls) throws Exception {
    try (TaskClassLoader loader =
        new TaskClassLoader(
            "own",
            urls,
            SharedLookups.class.getClassLoader(),
            List.of("java."),
            CallRewriter.standard(),
            (own, code) -> code)) {
      loader.bind(TaskProcess.currentOrNull());
      LoaderCalls.loadClass(SharedLookups.class.getClassLoader(), "OfJob");
      return false;
    } catch (ClassNotFoundException e) {
      return true;
    }
  }

  private static byte[] bytes(Object object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static final class SerializableHandler implements InvocationHandler, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return null;
    }
  }
}
