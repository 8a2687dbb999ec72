// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.statics;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.io.WritableName;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.counters.Limits;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.apache.hadoop.mapreduce.lib.join.CompositeInputFormat;
import org.apache.hadoop.mapreduce.lib.join.CompositeInputSplit;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.yarn.YarnUncaughtExceptionHandler;
import org.apache.log4j.ConsoleAppender;
import org.apache.log4j.Level;
import org.apache.log4j.LogManager;
import org.apache.log4j.Logger;
import org.apache.log4j.SimpleLayout;
import org.apache.log4j.WriterAppender;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.engine.isolation.standins.FieldCalls;
import org.mammoth.engine.isolation.standins.ReflectiveCall;
import org.mammoth.engine.statics.StaticsTable;
import org.mammoth.engine.statics.TaskStatics;
import org.mammoth.mapreduce.engine.jobs.OpenFileSystems;

/** What {@link StaticsAgentTest} runs in a JVM that has the engine's agent. */
public final class SharedJvm {

  private interface Check {
    void run() throws Exception;
  }

  static class Ignored implements TaskProcess.Listener {
    @Override
    public void onExit(int status, boolean halt) {}

    @Override
    public void onProcessNeeded(String what) {}

    @Override
    public void onUncaught(Thread thread, Throwable error) {}

    @Override
    public void onOutOfMemory(Thread thread, OutOfMemoryError error) {}
  }

  /** A key class of the engine's class path that nothing has loaded. */
  public static class LateKey extends Text {
    /** Its order, registered as Hadoop's own key classes register theirs. */
    public static final class Order extends WritableComparator {
      /** For the registry. */
      public Order() {
        super(LateKey.class);
      }
    }
  }

  private static final AtomicInteger TASKS = new AtomicInteger();

  private static Path folder;

  private SharedJvm() {}

  private static Map<String, Check> all() {
    Map<String, Check> checks = new LinkedHashMap<>();
    checks.put("what a shared class registers as it loads is there for all", SharedJvm::announced);
    checks.put("default resources and deprecations", SharedJvm::configuration);
    checks.put("comparators and names", SharedJvm::registries);
    checks.put("file systems are closed for one", SharedJvm::fileSystems);
    checks.put("the login user", SharedJvm::loginUser);
    checks.put("limits of counters", SharedJvm::limits);
    checks.put(
        "kinds of joins, which a subclass of the class that has them looks up", SharedJvm::joins);
    checks.put("an Error of any thread ends the task as Hadoop's handler does", SharedJvm::errors);
    checks.put("pooled codecs of a task that has ended", SharedJvm::codecs);
    checks.put("loggers", SharedJvm::loggers);
    checks.put("constants that netty knows by name", SharedLibraries::constants);
    checks.put("digests that a filter makes", SharedLibraries::digests);
    checks.put("objects of the job's classes", () -> SharedLookups.objects(folder));
    checks.put("names of the job's classes and files", () -> SharedLookups.names(folder));
    checks.put("classes that only a job has", () -> SharedGaps.remembered(folder));
    checks.put("parts that a job names as services", () -> SharedGaps.services(folder));
    checks.put("what is a package's own", () -> SharedGaps.mates(folder));
    checks.put("classes that a job makes", () -> SharedMade.classes(folder));
    checks.put("classes of a loader that sees nothing", () -> SharedMade.apart(folder));
    checks.put("classes of a loader that passes little on", () -> SharedMade.hidden(folder));
    checks.put("sockets that Netty opens", () -> SharedSockets.netty(folder));
    checks.put("ways to end the JVM", () -> SharedHooks.exits(folder));
    checks.put("threads that the JDK makes", () -> SharedHooks.threads(folder));
    checks.put("classes that load at the end of a stack", () -> SharedStacks.check(folder));
    checks.put("the common pool", SharedJvm::commonPool);
    checks.put("default locales and time zones", () -> SharedDefaults.check(folder));
    checks.put("a task's own fields by reflection", SharedJvm::byReflection);
    checks.put("lines and texts are made by ours, whoever loads them", SharedRecords::check);
    checks.put("two tasks share nothing that can change", SharedObjects::check);
    checks.put("every class of the table is there, verifies, and has slots", SharedJvm::table);
    checks.put("a task that has ended reaches nothing by Hadoop", SharedEnds::check);
    checks.put("a task that exits leaves its streams whole", SharedEnds::streams);
    return checks;
  }

  static List<String> checks() {
    return List.copyOf(all().keySet());
  }

  public static void main(String[] args) throws Exception {
    folder = Path.of(args[0]);
    Logger.getRootLogger().removeAllAppenders();
    Logger.getRootLogger().setLevel(Level.INFO);
    Logger.getRootLogger().addAppender(new ConsoleAppender(new SimpleLayout()));
    for (Map.Entry<String, Check> check : all().entrySet()) {
      check.getValue().run();
      System.out.println("ok " + check.getKey());
    }
    Runtime.getRuntime().halt(0);
  }

  static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  static TaskProcess newTask() throws Exception {
    return newTask(what -> {});
  }

  /** A task that tells why it needs a process. */
  static TaskProcess newTask(Consumer<String> needs) throws Exception {
    return TaskProcess.builder("task" + TASKS.incrementAndGet())
        .environment(Map.of())
        .workDir(Files.createTempDirectory(folder, "task"))
        .listener(
            new Ignored() {
              @Override
              public void onProcessNeeded(String what) {
                needs.accept(what);
              }
            })
        .build();
  }

  static <T> T in(TaskProcess task, Callable<T> work) throws Exception {
    FutureTask<T> result = new FutureTask<>(work);
    Thread main = new Thread(task.threads(), result, "main");
    main.start();
    main.join();
    return result.get();
  }

  private static void byReflection() throws Exception {
    Field schemes = FileSystem.class.getDeclaredField("SERVICE_FILE_SYSTEMS");
    Field limit = Limits.class.getDeclaredField("COUNTERS_MAX");
    schemes.setAccessible(true);
    limit.setAccessible(true);
    require(Modifier.isFinal(schemes.getModifiers()), "a final field has become another");
    in(
        newTask(),
        () -> {
          Map<String, Object> own = asMap(read(FieldCalls.getting(schemes, null)));
          own.put("hostile", RawLocalFileSystem.class);
          require(
              FileSystem.getFileSystemClass("hostile", new Configuration())
                  == RawLocalFileSystem.class,
              "not the map that upstream uses");
          Limits.init(new JobConf());
          ReflectiveCall set = FieldCalls.setting(limit, null, 321);
          ((Field) set.first()).setInt(set.second(), set.intValue());
          require(Limits.getCountersMax() == 321, "not set");
          ReflectiveCall same = FieldCalls.setting(schemes, null, new HashMap<>());
          require(same.first() == schemes, "a final field can be set");
          return null;
        });
    in(
        newTask(),
        () -> {
          Map<String, Object> own = asMap(read(FieldCalls.getting(schemes, null)));
          require(!own.containsKey("hostile"), "another's scheme");
          Limits.init(new JobConf());
          require(Limits.getCountersMax() == 120, "another's limit");
          return null;
        });
  }

  private static Object read(ReflectiveCall call) throws IllegalAccessException {
    return ((Field) call.first()).get(call.second());
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> asMap(Object map) {
    return (Map<String, Object>) map;
  }

  private static void codecs() throws Exception {
    DefaultCodec codec = new DefaultCodec();
    codec.setConf(new Configuration(false));
    TaskProcess task = newTask();
    List<Object> pooled =
        in(
            task,
            () -> {
              Compressor compressor = CodecPool.getCompressor(codec);
              Decompressor decompressor = CodecPool.getDecompressor(codec);
              Compressor used = CodecPool.getCompressor(codec);
              CodecPool.returnCompressor(compressor);
              CodecPool.returnDecompressor(decompressor);
              return List.of(compressor, decompressor, used);
            });
    TaskStatics.release(task);
    require(isEnded(((Compressor) pooled.get(0))::reset), "a compressor is not ended");
    require(isEnded(((Decompressor) pooled.get(1))::reset), "a decompressor is not ended");
    require(!isEnded(((Compressor) pooled.get(2))::reset), "one that is in no pool is ended");
    TaskStatics.release(newTask());
  }

  private static boolean isEnded(Runnable use) {
    try {
      use.run();
      return false;
    } catch (NullPointerException e) {
      // What codecs throw, the JDK's and Hadoop's native ones alike.
      return true;
    }
  }

  private static void errors() throws Exception {
    BlockingQueue<Integer> ends = new LinkedBlockingQueue<>();
    TaskProcess task = ending(ends);
    task.firstDefaultHandler(new YarnUncaughtExceptionHandler());
    die(task, new IllegalStateException("only logged"));
    die(task, new OutOfMemoryError("for the listener"));
    require(ends.isEmpty(), "ended by " + ends);
    die(task, new AssertionError("ends the task"));
    require(Integer.valueOf(255).equals(ends.poll(10, TimeUnit.SECONDS)), "not ended with -1");
    Thread exiting = new Thread(ending(ends).threads(), () -> ExitUtil.terminate(9), "exiting");
    exiting.start();
    exiting.join();
    require(Integer.valueOf(9).equals(ends.poll(10, TimeUnit.SECONDS)), "not ended with 9");
    in(
        newTask(),
        () -> {
          ExitUtil.disableSystemExit();
          try {
            ExitUtil.terminate(7);
          } catch (ExitUtil.ExitException e) {
            return null;
          }
          throw new AssertionError("a disabled exit ends the task");
        });
  }

  private static TaskProcess ending(BlockingQueue<Integer> ends) throws IOException {
    return TaskProcess.builder("dying")
        .environment(Map.of())
        .workDir(Files.createTempDirectory(folder, "task"))
        .listener(
            new Ignored() {
              @Override
              public void onExit(int status, boolean halt) {
                ends.add(status);
              }
            })
        .build();
  }

  private static void die(TaskProcess task, Throwable error) throws InterruptedException {
    Thread thread = new Thread(task.threads(), () -> SharedJvm.<RuntimeException>raise(error), "t");
    thread.start();
    thread.join();
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void raise(Throwable error) throws E {
    throw (E) error;
  }

  private static void joins() throws Exception {
    Configuration conf = new Configuration(false);
    Path input = Files.createDirectory(folder.resolve("joined"));
    conf.set(
        CompositeInputFormat.JOIN_EXPR,
        CompositeInputFormat.compose("outer", TextInputFormat.class, input.toString()));
    conf.set(MRJobConfig.TASK_ATTEMPT_ID, new TaskAttemptID().toString());
    TaskAttemptContext context = new TaskAttemptContextImpl(conf, new TaskAttemptID());
    String known =
        in(
            newTask(),
            () -> {
              CompositeInputFormat<?> format = new CompositeInputFormat<>();
              CompositeInputSplit split = new CompositeInputSplit(1);
              split.add(new CompositeInputSplit(0));
              try {
                format.createRecordReader(split, context);
                return "";
              } catch (IOException e) {
                return e.getMessage();
              }
            });
    require(!known.startsWith("No RecordReader"), known);
  }

  private static void table() throws Exception {
    int missing = 0;
    for (String name : StaticsTable.load().classes()) {
      try {
        Class.forName(name.replace('/', '.'));
      } catch (ClassNotFoundException e) {
        // Not every library of the release is on this class path; the census knows what is in it.
        boolean isHere =
            name.startsWith("org/apache/hadoop/mapred") && !name.contains("/nativetask/");
        require(!isHere, "there is no " + name);
        if (!StaticsTable.load().isOfSomeVersions(name)) {
          missing++;
        }
      } catch (NoClassDefFoundError | ExceptionInInitializerError e) {
        // It is of an optional part, which only a job may bring.
        require(!StaticsTable.load().missedBy(name).isEmpty(), name + " does not link: " + e);
      }
    }
    require(missing < 30, missing + " classes are missing");
    in(
        newTask(),
        () -> {
          for (int id = 0; id < StaticsTable.load().holderNames().size(); id++) {
            try {
              Class.forName(StaticsTable.load().holderNames().get(id).replace('/', '.'));
            } catch (ClassNotFoundException e) {
              continue;
            }
            require(TaskStatics.slots(id) != null, "no slots of holder " + id);
          }
          return null;
        });
  }

  private static void configuration() throws Exception {
    in(
        newTask(),
        () -> {
          Configuration.addDefaultResource("hostile.xml");
          Configuration.addDeprecation("hostile.old", "hostile.new");
          require(new Configuration().toString().contains("hostile.xml"), "own resource not seen");
          require(Configuration.isDeprecated("hostile.old"), "own deprecation not seen");
          return null;
        });
    for (TaskProcess task : new TaskProcess[] {newTask(), null}) {
      Callable<Object> look =
          () -> {
            require(!new Configuration().toString().contains("hostile"), "another's resource");
            require(!Configuration.isDeprecated("hostile.old"), "another's deprecation");
            return null;
          };
      if (task == null) {
        look.call();
      } else {
        in(task, look);
      }
    }
  }

  private static void announced() throws Exception {
    TaskProcess before = newTask();
    String resource = "yarn-default.xml";
    require(
        !in(before, () -> new Configuration().toString()).contains(resource),
        resource + " is there before its class");
    in(newTask(), () -> Class.forName("org.apache.hadoop.yarn.conf.YarnConfiguration"));
    for (TaskProcess task : new TaskProcess[] {before, newTask()}) {
      require(
          in(task, () -> new Configuration().toString()).contains(resource),
          resource + " is not in " + task);
    }
    require(new Configuration().toString().contains(resource), resource + " is not the engine's");
  }

  private static void registries() throws Exception {
    in(
        newTask(),
        () -> {
          WritableComparator.define(Text.class, new LateKey.Order());
          WritableName.addName(LateKey.class, "late");
          require(
              WritableComparator.get(Text.class) instanceof LateKey.Order, "own order not seen");
          return null;
        });
    in(
        newTask(),
        () -> {
          require(
              !(WritableComparator.get(Text.class) instanceof LateKey.Order), "another's order");
          try {
            WritableName.getClass("late", new Configuration());
          } catch (java.io.IOException e) {
            return null;
          }
          throw new AssertionError("another's name");
        });
  }

  private static void fileSystems() throws Exception {
    TaskProcess innocent = newTask();
    FileSystem mine = in(innocent, () -> FileSystem.get(folder.toUri(), new Configuration()));
    org.apache.hadoop.fs.Path doomed = new org.apache.hadoop.fs.Path(folder.toString(), "doomed");
    Files.createFile(Path.of(doomed.toString()));
    TaskProcess hostile = newTask();
    in(
        hostile,
        () -> {
          FileSystem own = FileSystem.get(folder.toUri(), new Configuration());
          require(own != mine, "one file system object for two tasks");
          FileContext.getLocalFSFileContext().deleteOnExit(doomed);
          FileSystem.closeAll();
          return null;
        });
    require(
        in(innocent, () -> FileSystem.get(folder.toUri(), new Configuration())) == mine,
        "closed by another");
    require(Files.exists(Path.of(doomed.toString())), "deleted too early");
    hostile.runShutdownHooks(() -> false);
    require(!Files.exists(Path.of(doomed.toString())), "not deleted at the task's end");
    require(!isLeft(false), "a file system's file is not deleted at the task's end");
    require(isLeft(true), "deleted by a task that was halted");
  }

  /** Whether a file is left that a task's file system was to delete at its end. */
  private static boolean isLeft(boolean halts) throws Exception {
    Path file = Files.createTempFile(folder, "left", "");
    TaskProcess task = newTask();
    in(
        task,
        () -> {
          FileSystem own = FileSystem.get(folder.toUri(), new Configuration());
          own.deleteOnExit(new org.apache.hadoop.fs.Path(file.toString()));
          return null;
        });
    FutureTask<Void> end = new FutureTask<>(() -> task.requestExit(0, halts), null);
    Thread asks = new Thread(task.threads(), end);
    asks.start();
    asks.join();
    OpenFileSystems.close(task);
    return Files.exists(file);
  }

  private static void loginUser() throws Exception {
    in(
        newTask(),
        () -> {
          UserGroupInformation.getLoginUser()
              .addToken(new Text("hostile"), new org.apache.hadoop.security.token.Token<>());
          SecurityUtil.setTokenServiceUseIp(false);
          return null;
        });
    in(
        newTask(),
        () -> {
          require(
              UserGroupInformation.getLoginUser().getTokens().isEmpty(), "another's credentials");
          return null;
        });
  }

  private static void limits() throws Exception {
    JobConf many = new JobConf();
    many.setInt("mapreduce.job.counters.max", 777);
    require(
        in(
                newTask(),
                () -> {
                  Limits.init(many);
                  return Limits.getCountersMax();
                })
            == 777,
        "own limit not seen");
    require(
        in(
                newTask(),
                () -> {
                  Limits.init(new JobConf());
                  return Limits.getCountersMax();
                })
            == 120,
        "another's limit");
  }

  private static void loggers() throws Exception {
    Logger ofHadoop = Logger.getLogger(FileSystem.class);
    StringWriter heard = new StringWriter();
    TaskProcess hostile = newTask();
    in(
        hostile,
        () -> {
          ofHadoop.setLevel(Level.DEBUG);
          Logger.getRootLogger().removeAllAppenders();
          Logger.getRootLogger().addAppender(new WriterAppender(new SimpleLayout(), heard));
          require(ofHadoop.isDebugEnabled(), "own level not seen");
          ofHadoop.debug("of the hostile task");
          return null;
        });
    in(
        newTask(),
        () -> {
          require(!ofHadoop.isDebugEnabled(), "another's level");
          ofHadoop.info("of the neighbour");
          return null;
        });
    require(
        Collections.list(LogManager.getRootLogger().getAllAppenders()).size() == 1,
        "another's appenders");
    require(heard.toString().equals("DEBUG - of the hostile task\n"), "heard " + heard);
  }

  private static void commonPool() throws Exception {
    TaskProcess task = newTask();
    SynchronousQueue<Thread> seen = new SynchronousQueue<>();
    Callable<Object> tell =
        () -> {
          seen.put(Thread.currentThread());
          return null;
        };
    // Not asked for its result: the asking thread would do the work itself.
    in(task, () -> ForkJoinPool.commonPool().submit(tell));
    Thread worker = seen.take();
    require(TaskProcess.ofOrNull(worker) == null, worker + " belongs to a task");
    require(task.liveThreads().isEmpty(), "the task has left threads");
  }
}
