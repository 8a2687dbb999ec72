// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalDirAllocator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.apache.hadoop.yarn.server.api.AuxiliaryLocalPathHandler;

/** The shuffle service of one NodeManager, as that one runs it. */
public final class ShuffleService implements AutoCloseable {

  private final ShuffleHandler handler;

  /** Starts it on free ports; a service of upstream's if {@code mammoth} is not set. */
  public ShuffleService(Configuration conf, boolean mammoth) {
    handler = mammoth ? new MammothShuffleHandler() : new ShuffleHandler();
    handler.setAuxiliaryLocalPathHandler(new Dirs(conf));
    handler.init(conf);
    handler.start();
  }

  /** The port that completion events name. */
  public int port() {
    try {
      return ShuffleHandler.deserializeMetaData(handler.getMetaData());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A job has begun on the node. */
  public void begin(ApplicationId application, String user, byte[] secret) throws Exception {
    Token<JobTokenIdentifier> token =
        new Token<>(new byte[0], secret, JobTokenIdentifier.KIND_NAME, new Text(""));
    handler.initializeApplication(
        new ApplicationInitializationContext(
            user, application, ShuffleHandler.serializeServiceData(token)));
  }

  /** A job is over. */
  public void end(ApplicationId application) {
    handler.stopApplication(new ApplicationTerminationContext(application));
  }

  @Override
  public void close() {
    handler.stop();
  }

  /** The node's local directories, as its NodeManager would tell them. */
  private record Dirs(Configuration conf) implements AuxiliaryLocalPathHandler {

    private static final String KEY = YarnConfiguration.NM_LOCAL_DIRS;

    @Override
    public Path getLocalPathForRead(String path) throws IOException {
      return new LocalDirAllocator(KEY).getLocalPathToRead(path, conf);
    }

    @Override
    public Path getLocalPathForWrite(String path) throws IOException {
      return new LocalDirAllocator(KEY).getLocalPathForWrite(path, conf);
    }

    @Override
    public Path getLocalPathForWrite(String path, long size) throws IOException {
      return new LocalDirAllocator(KEY).getLocalPathForWrite(path, size, conf);
    }

    @Override
    public Iterable<Path> getAllLocalPathsForRead(String path) throws IOException {
      return new LocalDirAllocator(KEY).getAllLocalPathsToRead(path, conf);
    }
  }
}
