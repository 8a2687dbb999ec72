package org.mammoth.mapreduce.nodemanager;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.security.token.JobTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.api.ApplicationInitializationContext;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;

/** The shuffle service of one NodeManager, as that one runs it. */
public final class ShuffleService implements AutoCloseable {

  private final ShuffleHandler handler;

  /** Starts it on free ports; a service of upstream's if {@code mammoth} is not set. */
  public ShuffleService(Configuration conf, boolean mammoth) {
    handler = mammoth ? new MammothShuffleHandler() : new ShuffleHandler();
    handler.init(conf);
    handler.start();
  }

  /** The port that completion events name. */
  public int port() {
    try {
      return ShuffleHandler.deserializeMetaData(handler.getMetaData());
    } catch (java.io.IOException e) {
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
}
