// SPDX-License-Identifier: Apache-2.0
package org.mammoth.hdfs.master;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.InvalidRequestException;
import org.apache.hadoop.io.Text;
import org.mammoth.api.status.CacheAnswers;
import org.mammoth.api.status.CacheDataSets;
import org.mammoth.api.status.CacheTrace;
import org.mammoth.api.status.StatusJson;
import org.mammoth.config.ConfigKey;
import org.mammoth.hdfs.master.Warmer.Warmed;
import org.mammoth.hdfs.rpc.AdminProtocol;
import org.mammoth.mpcache.config.MpCacheKeys;
import org.mammoth.mpcache.master.MasterState;
import org.mammoth.mpcache.master.MasterView;
import org.mammoth.mpcache.policy.DataSetId;
import org.mammoth.mpcache.simulation.TraceJob;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link AdminProtocol} over the active master. Safe for any thread. */
final class AdminService implements AdminProtocol {

  private static final Logger LOG = LoggerFactory.getLogger(AdminService.class);

  private final ActiveMaster master;
  private final Warmer warmer;
  private final Callers callers;
  private final Configuration conf;
  private final ObjectMapper json = new ObjectMapper();
  private final StatusJson status = new StatusJson();

  AdminService(ActiveMaster master, Warmer warmer, Callers callers, Configuration conf) {
    this.master = master;
    this.warmer = warmer;
    this.callers = callers;
    this.conf = conf;
  }

  @Override
  public Text report() throws IOException {
    return answer(MasterJson.report(master.state().view()));
  }

  @Override
  public Text dataSets() throws IOException {
    MasterView view = master.state().view();
    boolean all = callers.isAdministrator();
    return answer(new CacheDataSets(readable(view.sets(), all), readable(view.absent(), all)));
  }

  private Text answer(Object record) {
    return new Text(status.write(record));
  }

  private List<CacheDataSets.DataSet> readable(List<MasterView.SetView> sets, boolean all)
      throws IOException {
    List<CacheDataSets.DataSet> readable = new ArrayList<>();
    for (MasterView.SetView set : sets) {
      if (all || callers.mayRead(set.path())) {
        DataSetId by = set.departure() == null ? null : set.departure().by();
        readable.add(MasterJson.dataSet(set, by != null && (all || callers.mayRead(by.path()))));
      }
    }
    return readable;
  }

  @Override
  public Text policy() throws IOException {
    ObjectNode answer = json.createObjectNode();
    answer.put("policy", master.state().view().policy());
    ObjectNode settings = answer.putObject("settings");
    for (ConfigKey<?> key :
        new ConfigKey<?>[] {
          MpCacheKeys.POLICY,
          MpCacheKeys.BONUS,
          MpCacheKeys.VICTIM_DISTANCE,
          MpCacheKeys.DATA_SETS_MAX,
          MpCacheKeys.ROUND_REST_S
        }) {
      settings.put(key.name(), conf.getTrimmed(key.name(), key.defaultText()));
    }
    return new Text(answer.toString());
  }

  @Override
  public Text evict(String path) throws IOException {
    callers.checkAdministrator("evict from the SSD cache");
    DataSetId below = dataSet(path);
    int copies = master.state().evict(below);
    LOG.info("{} copies at or below {} leave the SSD cache by command", copies, below);
    return answer(new CacheAnswers.Evicted(below.path(), copies));
  }

  @Override
  public Text warm(String path) throws IOException {
    callers.checkAdministrator("have files cached");
    DataSetId below = dataSet(path);
    Warmed warmed = warmer.warm(below.path(), master.state());
    LOG.info("{} is to enter the SSD cache by command: {}", below, warmed);
    return answer(
        new CacheAnswers.Warmed(
            below.path(), warmed.blocks(), warmed.bytes(), warmed.withoutSlave(), warmed.more()));
  }

  @Override
  public Text pin(String path, boolean on) throws IOException {
    callers.checkAdministrator("pin data sets in the SSD cache");
    DataSetId below = dataSet(path);
    MasterState state = master.state();
    int sets = state.pin(below, on);
    LOG.info("{} is {} by command; {} data sets changed", below, on ? "pinned" : "unpinned", sets);
    return answer(new CacheAnswers.Pinned(below.path(), sets, state.pinned(below)));
  }

  @Override
  public Text trace() throws IOException {
    List<TraceJob> trace = master.state().trace();
    boolean all = callers.isAdministrator();
    Map<String, Boolean> readable = new HashMap<>();
    List<CacheTrace.Round> rounds = new ArrayList<>();
    for (TraceJob round : trace) {
      Boolean may = readable.get(round.dataSet());
      if (may == null) {
        may = all || callers.mayRead(round.dataSet());
        readable.put(round.dataSet(), may);
      }
      if (may) {
        rounds.add(new CacheTrace.Round(round.dataSet(), round.blocks(), round.blockBytes()));
      }
    }
    return answer(new CacheTrace(rounds));
  }

  private static DataSetId dataSet(String path) throws InvalidRequestException {
    try {
      return new DataSetId(path);
    } catch (IllegalArgumentException e) {
      throw new InvalidRequestException(e.getMessage());
    }
  }
}
