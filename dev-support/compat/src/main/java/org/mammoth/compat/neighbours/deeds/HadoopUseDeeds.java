// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.deeds;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.MapWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.metrics2.source.JvmMetrics;
import org.apache.hadoop.security.Groups;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.util.Shell;
import org.apache.hadoop.util.StringUtils;
import org.apache.hadoop.util.ToolRunner;
import org.mammoth.compat.neighbours.Deed;
import org.mammoth.compat.neighbours.Hostile;

/** Programs that use Hadoop inside a task as if it were a client or a daemon. */
public final class HadoopUseDeeds {
  private HadoopUseDeeds() {}

  @Hostile(value = "closes all file systems", about = "hadoop-setter")
  static final class AllClosed implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      FileSystem local = FileSystem.newInstanceLocal(context.getConfiguration());
      local.close();
      FileSystem.closeAllForUGI(UserGroupInformation.createRemoteUser(MARK));
      UserGroupInformation other = UserGroupInformation.createRemoteUser(MARK);
      String seen =
          other.doAs(
              (java.security.PrivilegedExceptionAction<String>)
                  () -> {
                    FileSystem.getLocal(new Configuration(false));
                    return UserGroupInformation.getCurrentUser().getUserName();
                  });
      FileSystem.closeAllForUGI(other);
      return seen;
    }
  }

  @Hostile(value = "has all configurations read anew", about = "hadoop-setter")
  static final class Reloaded implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Configuration own = new Configuration();
      own.set(MARK, "set");
      Configuration.reloadExistingConfigurations();
      return own.get(MARK) + context.getConfiguration().get("mammoth.compat.deeds.where");
    }
  }

  @Hostile(value = "sets the mask of new files", about = "hadoop-setter")
  static final class Mask implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      FsPermission.setUMask(context.getConfiguration(), new FsPermission((short) 077));
      FileContext.getLocalFSFileContext().setUMask(new FsPermission((short) 0));
      return FsPermission.getUMask(context.getConfiguration()) + "";
    }
  }

  @Hostile(value = "makes metrics of the JVM as a daemon does", about = "hadoop-setter")
  static final class MetricsOfDaemon implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      boolean same =
          JvmMetrics.initSingleton(MARK, "session") == JvmMetrics.initSingleton("x", "y");
      DefaultMetricsSystem.setMiniClusterMode(true);
      return same + " " + DefaultMetricsSystem.inMiniClusterMode();
    }
  }

  @Hostile(value = "logs in from a keytab that is not there", about = "hadoop-setter")
  static final class Keytab implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Configuration secure = new Configuration(context.getConfiguration());
      secure.set("hadoop.security.authentication", "kerberos");
      UserGroupInformation before = UserGroupInformation.getLoginUser();
      try {
        UserGroupInformation.setConfiguration(secure);
        UserGroupInformation.loginUserFromKeytab(MARK + "@EXAMPLE.COM", "/no/such.keytab");
        return "logged in";
      } catch (Exception e) {
        return "refused " + UserGroupInformation.isSecurityEnabled();
      } finally {
        UserGroupInformation.setConfiguration(context.getConfiguration());
        UserGroupInformation.setLoginUser(before);
      }
    }
  }

  @Hostile(value = "lets a user act for all, and forgets groups", about = "hadoop-setter")
  static final class ProxyUser implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Configuration conf = new Configuration(context.getConfiguration());
      conf.set("hadoop.proxyuser.hostile.hosts", "*");
      conf.set("hadoop.proxyuser.hostile.users", "*");
      ProxyUsers.refreshSuperUserGroupsConfiguration(conf);
      ProxyUsers.authorize(
          UserGroupInformation.createProxyUser(
              "victim", UserGroupInformation.createRemoteUser("hostile")),
          "127.0.0.1");
      Groups.getUserToGroupsMappingService(conf).refresh();
      return "authorized";
    }
  }

  @Hostile(value = "runs Hadoop's shell and takes what it prints", about = "process")
  static final class ShellInside implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Files.writeString(java.nio.file.Path.of("shell.txt"), MARK);
      PrintStream before = System.out;
      ByteArrayOutputStream taken = new ByteArrayOutputStream();
      System.setOut(new PrintStream(taken, true, StandardCharsets.UTF_8));
      try {
        int status =
            ToolRunner.run(
                new Configuration(context.getConfiguration()),
                new FsShell(),
                new String[] {"-cat", new File("shell.txt").toURI().toString()});
        return status + taken.toString(StandardCharsets.UTF_8);
      } finally {
        System.setOut(before);
      }
    }
  }

  @Hostile(value = "ends all children that Hadoop's Shell has started", about = "process")
  static final class ShellsEnded implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      String said = Shell.execCommand("echo", MARK).trim();
      Shell.destroyAllShellProcesses();
      return said + Shell.getAllShells().size();
    }
  }

  @Hostile(
      value = "starts up as a daemon, which logs its signals",
      about = "jdk-call",
      mayNeedProcess = true)
  static final class DaemonStart implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      StringUtils.startupShutdownMessage(
          DaemonStart.class, new String[0], org.slf4j.LoggerFactory.getLogger(DaemonStart.class));
      return "started";
    }
  }

  @Hostile(value = "clones records whose classes it brings", about = "hadoop-pool")
  static final class Clones implements Deed {
    /** A record of its own. */
    public static final class Own extends MapWritable {}

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Own own = new Own();
      own.put(new Text(MARK), new LongWritable(7));
      Own copy = ReflectionUtils.copy(context.getConfiguration(), own, new Own());
      ReflectionUtils.cloneWritableInto(copy, own);
      return String.valueOf(copy.get(new Text(MARK)));
    }
  }

  @Hostile(value = "runs a job of its own in its JVM", about = "process")
  static final class LocalJob implements Deed {
    /** Marks lines. */
    public static final class Marking extends Mapper<LongWritable, Text, Text, Text> {
      @Override
      protected void map(LongWritable at, Text line, Context context)
          throws java.io.IOException, InterruptedException {
        context.write(line, new Text(MARK));
      }
    }

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      java.nio.file.Path own = java.nio.file.Path.of("").toAbsolutePath();
      Files.writeString(own.resolve("local-in.txt"), "b\na\n");
      Configuration conf = new Configuration(false);
      conf.set("fs.defaultFS", "file:///");
      conf.set("mapreduce.framework.name", "local");
      conf.set("mapreduce.cluster.local.dir", own.resolve("local-dir").toString());
      conf.set("hadoop.tmp.dir", own.resolve("local-tmp").toString());
      conf.set("mapreduce.jobtracker.staging.root.dir", own.resolve("local-staging").toString());
      Job job = Job.getInstance(conf);
      job.setMapperClass(Marking.class);
      job.setOutputKeyClass(Text.class);
      job.setOutputValueClass(Text.class);
      FileInputFormat.addInputPath(job, new Path(own.resolve("local-in.txt").toUri()));
      FileOutputFormat.setOutputPath(job, new Path(own.resolve("local-out").toUri()));
      boolean good = job.waitForCompletion(false);
      return good + Files.readString(own.resolve("local-out").resolve("part-r-00000"));
    }
  }
}
