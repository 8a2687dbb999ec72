// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.engine;

import static org.awaitility.Awaitility.await;

import java.io.OutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.ProtocolSignature;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.VersionedProtocol;
import org.apache.hadoop.mapred.AMFeedback;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.JvmTask;
import org.apache.hadoop.mapred.SetupTasks;
import org.apache.hadoop.mapred.TaskAttemptID;
import org.apache.hadoop.mapred.TaskUmbilicalProtocol;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.mapreduce.security.token.JobTokenSecretManager;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.Token;
import org.mammoth.engine.isolation.TaskProcess;
import org.mammoth.mapreduce.engine.containers.ContainerProgram;
import org.mammoth.mapreduce.engine.containers.EngineVitals;
import org.mammoth.mapreduce.engine.containers.HostedContainers;
import org.mammoth.mapreduce.engine.containers.TaskProgramTest;
import org.mammoth.mapreduce.engine.containers.TaskSurroundings;
import org.mammoth.mapreduce.engine.jobs.FileSystemStatistics;
import org.mammoth.mapreduce.engine.memory.NodeMemory;
import org.mammoth.mapreduce.protocol.ContainerExit;
import org.mammoth.mapreduce.protocol.ContainerLaunchSpec;
import org.mammoth.mapreduce.protocol.EngineReport;

/** What {@link TaskProgramTest} runs in a JVM that has the engine's agent. */
public final class TaskJvm {

  private static final String[] NONE = {};
  private static final String ATTEMPT = "attempt_1_0001_m_000000_0";

  /** What the job's committer does; of the one test that runs. */
  private static volatile Setup setup;

  private interface Setup {
    void run() throws Throwable;
  }

  /** A job of which only the committer has something to do. */
  public static final class SetUp extends NullOutputFormat<Object, Object> {
    @Override
    public OutputCommitter getOutputCommitter(TaskAttemptContext context) {
      return new OutputCommitter() {
        @Override
        public void setupJob(JobContext job) {
          try {
            setup.run();
          } catch (Throwable e) {
            throw TaskJvm.<RuntimeException>asItIs(e);
          }
        }

        @Override
        public void setupTask(TaskAttemptContext task) {}

        @Override
        public boolean needsTaskCommit(TaskAttemptContext task) {
          return false;
        }

        @Override
        public void commitTask(TaskAttemptContext task) {}

        @Override
        public void abortTask(TaskAttemptContext task) {}
      };
    }
  }

  /** As languages without checked exceptions throw what they like. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E asItIs(Throwable thrown) throws E {
    throw (E) thrown;
  }

  private final Path folder;

  /** Whether its master knows nothing more of a task that has failed, as upstream's. */
  private final boolean forgets;

  private final List<String> told = new CopyOnWriteArrayList<>();
  private final List<String> happened = new CopyOnWriteArrayList<>();
  private volatile boolean knowsTask = true;

  private TaskJvm(Path folder, boolean forgets) {
    this.folder = folder;
    this.forgets = forgets;
  }

  /** Starts the engine, its ApplicationMaster, and the task. */
  private HostedContainers launch() throws Exception {
    Configuration conf = new Configuration(false);
    NodeMemory memory = SmallMemory.open(conf, folder);
    EngineVitals vitals = new EngineVitals("engine-ann-1", "ann", Clock.systemUTC());
    TaskSurroundings surroundings =
        new TaskSurroundings(conf, FileSystemStatistics.install(), vitals, memory);
    HostedContainers containers =
        new HostedContainers(
            conf,
            vitals,
            surroundings,
            new ContainerProgram.Tasks(surroundings),
            Executors.newCachedThreadPool(),
            System::nanoTime);
    InetSocketAddress address = serve();
    Path work = Files.createDirectory(folder.resolve("work"));
    ContainerLaunchSpec spec =
        new ContainerLaunchSpec()
            .withIdentity("container_1_0001_01_000002", "ann", 400)
            .withFolders(
                work.toString(), folder.resolve("logs").toString(), List.of(folder.toString()))
            .withFiles(jobFile().toString(), folder.resolve("tokens").toString())
            .withProgram(
                List.of("127.0.0.1", String.valueOf(address.getPort()), ATTEMPT, "2"),
                List.of(),
                "INFO")
            .withEnvironment(Map.of("CONTAINER_ID", "container_1_0001_01_000002"));
    String declined = containers.launch(spec);
    if (!declined.isEmpty()) {
      throw new AssertionError(declined);
    }
    return containers;
  }

  private Path jobFile() throws Exception {
    JobConf job = new JobConf(false);
    job.setUseNewMapper(true);
    job.set(MRJobConfig.OUTPUT_FORMAT_CLASS_ATTR, SetUp.class.getName());
    job.setLong(MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL, 200);
    Path file = folder.resolve("job.xml");
    try (OutputStream out = Files.newOutputStream(file)) {
      job.writeXml(out);
    }
    return file;
  }

  /** An ApplicationMaster that has this one task. */
  private InetSocketAddress serve() throws Exception {
    TaskAttemptID attempt = TaskAttemptID.forName(ATTEMPT);
    String job = attempt.getJobID().toString();
    JobTokenSecretManager secrets = new JobTokenSecretManager();
    Token<JobTokenIdentifier> token = new Token<>(new JobTokenIdentifier(new Text(job)), secrets);
    secrets.addTokenForJob(job, token);
    Credentials credentials = new Credentials();
    TokenCache.setJobToken(token, credentials);
    Configuration conf = new Configuration();
    credentials.writeTokenStorageFile(
        new org.apache.hadoop.fs.Path(folder.resolve("tokens").toUri()), conf);
    Object answers =
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {TaskUmbilicalProtocol.class},
            (self, method, arguments) -> answer(self, method, arguments, attempt));
    RPC.Server master =
        new RPC.Builder(conf)
            .setProtocol(TaskUmbilicalProtocol.class)
            .setInstance(answers)
            .setBindAddress("127.0.0.1")
            .setPort(0)
            .setNumHandlers(2)
            .setSecretManager(secrets)
            .build();
    master.start();
    return master.getListenerAddress();
  }

  private Object answer(Object self, Method method, Object[] arguments, TaskAttemptID attempt)
      throws Exception {
    switch (method.getName()) {
      case "getProtocolVersion":
        return TaskUmbilicalProtocol.versionID;
      case "getProtocolSignature":
        return ProtocolSignature.getProtocolSignature(
            (VersionedProtocol) self,
            (String) arguments[0],
            (Long) arguments[1],
            (Integer) arguments[2]);
      case "getTask":
        return new JvmTask(SetupTasks.of(attempt, "ann"), false);
      case "statusUpdate":
        AMFeedback feedback = new AMFeedback();
        feedback.setTaskFound(knowsTask);
        return feedback;
      case "fatalError":
        told.add(String.valueOf(arguments[1]).lines().findFirst().orElse(""));
        // Else the next report, 200 ms after the last one, might end the task before its own end.
        knowsTask = !forgets;
        return null;
      default:
        told.add(method.getName());
        return null;
    }
  }

  private static ContainerExit exitOf(HostedContainers containers) {
    return await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              EngineReport report = containers.poll(NONE, 100);
              return report.exits().isEmpty() ? null : report.exits().get(0);
            },
            exit -> exit != null);
  }

  private void throwsThrowable() throws Throwable {
    throw new Throwable("it leaves a closure");
  }

  private void missesClass() throws Throwable {
    throw new ClassNotFoundException("com.acme.None");
  }

  private void leavesThread() {
    CountDownLatch never = new CountDownLatch(1);
    TaskProcess process = TaskProcess.currentOrNull();
    process.addShutdownHook(new Thread(process.threads(), () -> happened.add("unlocks")));
    Thread producer =
        new Thread(
            () -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                happened.add("is interrupted");
              }
            });
    producer.setDaemon(false);
    producer.start();
    throw new IllegalStateException("no such record");
  }

  /** Runs a job whose committer does as the first argument says, in the folder of the second. */
  public static void main(String[] args) throws Exception {
    TaskJvm jvm = new TaskJvm(Path.of(args[1]), args[0].equals("thread"));
    setup =
        Map.<String, Setup>of(
                "throwable", jvm::throwsThrowable,
                "class", jvm::missesClass,
                "thread", jvm::leavesThread)
            .get(args[0]);
    HostedContainers containers = jvm.launch();
    System.out.println("exit " + exitOf(containers).exitCode());
    await().atMost(Duration.ofSeconds(60)).until(() -> containers.situation().running().isEmpty());
    if (args[0].equals("thread")) {
      await().until(() -> jvm.happened.contains("is interrupted"));
    }
    jvm.told.forEach(each -> System.out.println("told " + each));
    jvm.happened.forEach(each -> System.out.println("happened " + each));
    Runtime.getRuntime().halt(0);
  }
}
