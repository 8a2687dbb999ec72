// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapred.JobID;
import org.apache.hadoop.mapred.ShuffleHandler;
import org.apache.hadoop.mapreduce.TypeConverter;
import org.apache.hadoop.yarn.server.api.ApplicationTerminationContext;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.engine.config.ShuffleKeys;
import org.mammoth.engine.shuffle.endpoint.EndpointTls;
import org.mammoth.engine.shuffle.endpoint.ShuffleEndpoint;
import org.mammoth.mapreduce.disks.LocalDirs;
import org.mammoth.mapreduce.transfer.EngineAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Upstream's shuffle service, with a second port on which Mammoth's reduces of other nodes learn
 * where the engine of their job's user serves map output. It is registered as {@code
 * mapreduce_shuffle}, because only that service is given the jobs' secrets, and keeps them over a
 * restart of the NodeManager. Whatever goes wrong with the second port, the first one serves.
 */
public class MammothShuffleHandler extends ShuffleHandler {

  private static final Logger LOG = LoggerFactory.getLogger(MammothShuffleHandler.class);

  /** Answers are a few bytes, once per reduce and node. */
  private static final int THREADS = 1;

  /** Null while Mammoth is off, and where upstream keeps its jobs in another way. */
  private KnownJobs jobs;

  private ShuffleEndpoint endpoint;
  private JobEnds jobEnds;

  @Override
  protected void serviceStart() throws Exception {
    super.serviceStart();
    try {
      if (EngineKeys.ENABLED.get(getConfig())) {
        serveEngines(getConfig());
      }
    } catch (ReflectiveOperationException e) {
      giveUp("this Hadoop keeps its jobs in another way: " + e);
    } catch (IOException | IllegalArgumentException e) {
      giveUp(e.getMessage());
    } catch (RuntimeException | Error e) {
      giveUp(e.toString());
    }
  }

  private void serveEngines(Configuration conf) throws IOException, ReflectiveOperationException {
    int port =
        EngineAddress.askedAt(ShuffleKeys.PORT.get(conf), deserializeMetaData(getMetaData()));
    jobs = KnownJobs.of(this);
    EngineDirectory engines = new EngineDirectory(LocalDirs.of(conf).homes(), jobs::user);
    jobEnds = new JobEnds(conf, engines);
    endpoint =
        new ShuffleEndpoint(
            conf, EndpointTls.ofServer(conf), jobs::secret, MammothShuffleHandler::thread, THREADS);
    endpoint.serve(port, engines);
    LOG.info("Other nodes ask for engines of this node on port {}", port);
  }

  private void giveUp(String reason) {
    closeEndpoint();
    LOG.warn(
        "Engines of this node are not found by other nodes, which fetch in the stock way: {}",
        reason);
  }

  @Override
  public void stopApplication(ApplicationTerminationContext context) {
    String job = JobID.downgrade(TypeConverter.fromYarn(context.getApplicationId())).toString();
    String user = jobs == null ? null : jobs.user(job);
    super.stopApplication(context);
    if (jobEnds != null && user != null) {
      jobEnds.tell(user, job);
    }
  }

  private void closeEndpoint() {
    if (endpoint != null) {
      endpoint.close();
      endpoint = null;
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(null, work, "mammoth-shuffle", 0, false);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  protected void serviceStop() throws Exception {
    closeEndpoint();
    if (jobEnds != null) {
      jobEnds.close();
    }
    super.serviceStop();
  }
}
