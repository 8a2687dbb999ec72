// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.deeds;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.io.WritableFactories;
import org.apache.hadoop.io.WritableName;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.Compressor;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.io.compress.DefaultCodec;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.ShutdownHookManager;
import org.mammoth.compat.neighbours.Deed;
import org.mammoth.compat.neighbours.Hostile;

/** Programs that change static state of Hadoop by its public methods. */
public final class HadoopDeeds {
  private HadoopDeeds() {}

  @Hostile(value = "gives a class another name for files", about = "hadoop-setter")
  static final class WritableNames implements Deed {
    /** A type. */
    public static final class Own {}

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      WritableName.addName(Own.class, MARK);
      WritableName.setName(org.apache.hadoop.io.Text.class, "hostile.Text");
      return WritableName.getClass(MARK, context.getConfiguration()).getSimpleName()
          + WritableName.getName(Text.class);
    }
  }

  @Hostile(value = "deprecates a key", about = "hadoop-setter")
  static final class Deprecation implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Configuration.addDeprecation("hostile.old.key", "hostile.new.key");
      Configuration conf = new Configuration(false);
      conf.set("hostile.old.key", "set");
      return conf.get("hostile.new.key");
    }
  }

  @Hostile(value = "deprecates a key of Hadoop's in favour of its own", about = "hadoop-setter")
  static final class DeprecationOfAKeyInUse implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Configuration.addDeprecation("io.file.buffer.size", "hostile.buffer.size");
      return String.valueOf(Configuration.isDeprecated("io.file.buffer.size"));
    }
  }

  @Hostile(value = "adds a default resource to all configurations", about = "hadoop-setter")
  static final class DefaultResource implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Configuration.addDefaultResource("hostile-site.xml");
      return new Configuration().toString().contains("hostile-site.xml")
          + new Configuration().get(MARK);
    }
  }

  @Hostile(value = "resolves a host name itself", about = "hadoop-setter")
  static final class StaticResolution implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      NetUtils.addStaticResolution("hostile.example", "192.0.2.9");
      return NetUtils.getStaticResolution("hostile.example");
    }
  }

  @Hostile(value = "adds a token and a secret to the login user", about = "hadoop-setter")
  static final class LoginCredentials implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Token<TokenIdentifier> token =
          new Token<>(new byte[] {1}, new byte[] {2}, new Text(MARK), new Text(MARK));
      UserGroupInformation.getLoginUser().addToken(token);
      org.apache.hadoop.security.Credentials more = new org.apache.hadoop.security.Credentials();
      more.addSecretKey(new Text(MARK), new byte[] {3});
      UserGroupInformation.getLoginUser().addCredentials(more);
      return String.valueOf(
          UserGroupInformation.getLoginUser().getCredentials().getSecretKey(new Text(MARK)).length);
    }
  }

  @Hostile(value = "adds a token to the current user", about = "hadoop-setter")
  static final class CurrentCredentials implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      Token<TokenIdentifier> token =
          new Token<>(new byte[] {1}, new byte[] {2}, new Text(MARK), new Text(MARK));
      UserGroupInformation.getCurrentUser().addToken(token);
      return String.valueOf(UserGroupInformation.getCurrentUser().getTokens().contains(token));
    }
  }

  @Hostile(value = "sets the configuration of users and groups", about = "hadoop-setter")
  static final class UgiConfiguration implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      UserGroupInformation.setConfiguration(new Configuration());
      return String.valueOf(UserGroupInformation.isSecurityEnabled());
    }
  }

  @Hostile(value = "sets the login user", about = "hadoop-setter")
  static final class UgiLogin implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      UserGroupInformation.setLoginUser(UserGroupInformation.createRemoteUser(MARK));
      return UserGroupInformation.getLoginUser().getUserName();
    }
  }

  @Hostile(value = "resets users and groups", about = "hadoop-setter")
  static final class UgiReset implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      UserGroupInformation.reset();
      return UserGroupInformation.getLoginUser().getAuthenticationMethod().name();
    }
  }

  @Hostile(value = "defines how texts are ordered", about = "hadoop-setter")
  static final class ComparatorOfText implements Deed {
    /** The other way round. */
    public static final class Backwards extends WritableComparator {
      /** For texts. */
      public Backwards() {
        super(Text.class, true);
      }

      @Override
      public int compare(byte[] a, int s1, int l1, byte[] b, int s2, int l2) {
        return -compareBytes(a, s1, l1, b, s2, l2);
      }
    }

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      WritableComparator.define(Text.class, new Backwards());
      return WritableComparator.get(Text.class).getClass().getSimpleName();
    }
  }

  @Hostile(value = "sets how longs are made", about = "hadoop-setter")
  static final class FactoryOfLongs implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      WritableFactories.setFactory(LongWritable.class, () -> new LongWritable(7));
      return String.valueOf(WritableFactories.newInstance(LongWritable.class));
    }
  }

  @Hostile(value = "sets the caller's context", about = "hadoop-setter")
  static final class Caller implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      CallerContext.setCurrent(new CallerContext.Builder(MARK).build());
      return CallerContext.getCurrent().getContext();
    }
  }

  @Hostile(
      value = "closes the file system that others have from the cache",
      about = "hadoop-setter",
      settings = "mapreduce.map.maxattempts=1")
  static final class ClosedFileSystem implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      FileSystem.get(context.getConfiguration()).close();
      return String.valueOf(
          FileSystem.get(context.getConfiguration()).exists(new org.apache.hadoop.fs.Path("/")));
    }
  }

  @Hostile(value = "closes the local file system", about = "hadoop-setter")
  static final class ClosedLocal implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      FileSystem.getLocal(context.getConfiguration()).close();
      return String.valueOf(
          FileSystem.getLocal(context.getConfiguration())
              .exists(new org.apache.hadoop.fs.Path("/")));
    }
  }

  @Hostile(value = "clears the statistics of file systems", about = "hadoop-setter")
  static final class ClearedStatistics implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      FileSystem.clearStatistics();
      return FileSystem.getAllStatistics().stream()
              .mapToLong(FileSystem.Statistics::getBytesRead)
              .sum()
          + " bytes";
    }
  }

  @Hostile(value = "lets file systems follow links", about = "hadoop-setter")
  static final class Symlinks implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      FileSystem.enableSymlinks();
      return String.valueOf(FileSystem.areSymlinksEnabled());
    }
  }

  @Hostile(value = "lets ExitUtil end nothing", about = "hadoop-setter")
  static final class DisabledExit implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      ExitUtil.disableSystemExit();
      try {
        ExitUtil.terminate(7, MARK);
      } catch (ExitUtil.ExitException e) {
        return "caught " + e.status;
      }
      return "went on";
    }
  }

  @Hostile(value = "names services of tokens by host", about = "hadoop-setter")
  static final class TokenService implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      SecurityUtil.setTokenServiceUseIp(false);
      return SecurityUtil.buildTokenService(java.net.URI.create("hdfs://localhost:1")).toString();
    }
  }

  @Hostile(value = "registers a source of metrics", about = "hadoop-setter")
  static final class MetricsSource implements Deed {
    /** A source. */
    @org.apache.hadoop.metrics2.annotation.Metrics(context = MARK)
    public static final class Source implements org.apache.hadoop.metrics2.MetricsSource {
      @Override
      public void getMetrics(org.apache.hadoop.metrics2.MetricsCollector collector, boolean all) {
        collector.addRecord(MARK);
      }
    }

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      DefaultMetricsSystem.instance().register(MARK, MARK, new Source());
      return String.valueOf(DefaultMetricsSystem.instance().getSource(MARK) != null);
    }
  }

  @Hostile(value = "shuts the metrics system down", about = "hadoop-setter")
  static final class MetricsEnd implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      return String.valueOf(DefaultMetricsSystem.instance().shutdown());
    }
  }

  @Hostile(value = "gives a decompressor back twice", about = "hadoop-pool")
  static final class PoolTwice implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      DefaultCodec codec = new DefaultCodec();
      codec.setConf(new Configuration(false));
      Decompressor one = CodecPool.getDecompressor(codec);
      one.setInput(new byte[] {1, 2, 3}, 0, 3);
      CodecPool.returnDecompressor(one);
      CodecPool.returnDecompressor(one);
      return "returned";
    }
  }

  @Hostile(value = "uses a compressor after giving it back", about = "hadoop-pool")
  static final class PoolKept implements Deed {
    private static final java.util.List<Compressor> KEPT = new java.util.ArrayList<>();

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      DefaultCodec codec = new DefaultCodec();
      codec.setConf(new Configuration(false));
      Compressor one = CodecPool.getCompressor(codec);
      CodecPool.returnCompressor(one);
      one.setInput(new byte[] {1, 2, 3}, 0, 3);
      one.finish();
      KEPT.add(one);
      return String.valueOf(one.compress(new byte[100], 0, 100) > 0);
    }
  }

  @Hostile(value = "clears all shutdown hooks of Hadoop's", about = "hadoop-setter")
  static final class HookManager implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      ShutdownHookManager.get().addShutdownHook(() -> System.err.println(MARK), 50);
      return String.valueOf(ShutdownHookManager.get().isShutdownInProgress());
    }
  }

  @Hostile(value = "sets the engine of a protocol in its configuration", about = "hadoop-setter")
  static final class RpcEngine implements Deed {
    /** A protocol. */
    public interface Protocol {}

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      org.apache.hadoop.ipc.RPC.setProtocolEngine(
          context.getConfiguration(),
          Protocol.class,
          org.apache.hadoop.ipc.ProtobufRpcEngine2.class);
      return "set";
    }
  }

  @Hostile(
      value = "registers a provider of delegation tokens' renewers by a static field",
      about = "hadoop-field",
      mayNeedProcess = true)
  static final class KeyProviders implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      java.lang.reflect.Field field =
          org.apache.hadoop.security.token.Token.class.getDeclaredField("tokenKindMap");
      field.setAccessible(true);
      field.set(
          null,
          new java.util.HashMap<>(
              java.util.Map.of(
                  new Text(MARK), org.apache.hadoop.security.token.TokenIdentifier.class)));
      return String.valueOf(((java.util.Map<?, ?>) field.get(null)).size());
    }
  }

  @Hostile(
      value = "changes the map of file systems by reflection",
      about = "hadoop-field",
      mayNeedProcess = true)
  static final class SchemesByReflection implements Deed {

    @Override
    public String commit(TaskInputOutputContext<?, ?, ?, ?> context) throws Exception {
      java.lang.reflect.Field field = FileSystem.class.getDeclaredField("SERVICE_FILE_SYSTEMS");
      field.setAccessible(true);
      @SuppressWarnings("unchecked")
      java.util.Map<String, Class<?>> map = (java.util.Map<String, Class<?>>) field.get(null);
      map.put("rot", org.apache.hadoop.fs.RawLocalFileSystem.class);
      map.put("file", org.apache.hadoop.fs.RawLocalFileSystem.class);
      return FileSystem.getFileSystemClass("rot", context.getConfiguration()).getSimpleName();
    }
  }
}
