// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.InvalidRequestException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.mammoth.api.status.EngineLogs;
import org.mammoth.api.status.OrderAnswer;
import org.mammoth.api.status.StatusJson;
import org.mammoth.config.ConfigKey;
import org.mammoth.engine.config.AdminKeys;
import org.mammoth.engine.config.EngineKeys;
import org.mammoth.mapreduce.protocol.NodeAdminProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link NodeAdminProtocol} over the node's supervisors. For handler threads of its server. */
final class NodeAdmin implements NodeAdminProtocol {

  private static final Logger LOG = LoggerFactory.getLogger(NodeAdmin.class);
  private static final int MAX_LOG_BYTES = 1 << 20;

  private final EngineSupervisor tasks;
  private final AppMasterHosts appMasters;
  private final Switches switches;
  private final String cannotRun;
  private final String owner;
  private final AccessControlList admins;
  private final ObjectMapper json = new ObjectMapper();
  private final StatusJson status = new StatusJson();

  /**
   * @param cannotRun why this node has no engines for as long as its NodeManager runs; empty if it
   *     has
   */
  NodeAdmin(
      Configuration conf,
      EngineSupervisor tasks,
      AppMasterHosts appMasters,
      Switches switches,
      String cannotRun)
      throws IOException {
    this.tasks = tasks;
    this.appMasters = appMasters;
    this.switches = switches;
    this.cannotRun = cannotRun;
    owner = UserGroupInformation.getLoginUser().getShortUserName();
    String acl = AdminKeys.ACL.get(conf);
    // An empty list is nobody; Configuration trims the blank that says so.
    admins = new AccessControlList(acl.isBlank() ? " " : acl);
  }

  private static UserGroupInformation caller() throws IOException {
    UserGroupInformation remote = Server.getRemoteUser();
    return remote == null ? UserGroupInformation.getCurrentUser() : remote;
  }

  private boolean isAdministrator(UserGroupInformation caller) {
    return caller.getShortUserName().equals(owner) || admins.isUserAllowed(caller);
  }

  /** Lets administrators through; returns who it is, for logs. */
  private String administrator(String operation) throws IOException {
    UserGroupInformation caller = caller();
    String name = caller.getShortUserName();
    if (isAdministrator(caller)) {
      return name;
    }
    LOG.warn("{} was refused: {}", caller, operation);
    throw new AccessControlException(
        name
            + " may not "
            + operation
            + ": only the NodeManager's own user and those of "
            + AdminKeys.ACL.name()
            + " may");
  }

  @Override
  public Text drain(String engine) throws IOException {
    String user = administrator("drain engines");
    return answer(drained(drain(engine, "drained by " + user)));
  }

  @Override
  public Text recycle(String engine) throws IOException {
    String user = administrator("recycle engines");
    List<EngineHandle> drained = drain(engine, "recycled by " + user);
    for (EngineHandle old : drained) {
      if (tasks.isOwn(old)) {
        tasks.prepare(old.user());
      }
      appMasters.replace(old);
    }
    return answer(drained(drained));
  }

  private List<EngineHandle> drain(String engine, String reason) throws IOException {
    List<EngineHandle> drained =
        new ArrayList<>(
            tasks.drain(handle -> engine.isEmpty() || handle.engineId().equals(engine), reason));
    drained.addAll(
        appMasters.drain(handle -> engine.isEmpty() || handle.engineId().equals(engine), reason));
    if (drained.isEmpty() && !engine.isEmpty()) {
      throw new InvalidRequestException(
          "no open engine of this node is named " + engine + "; it may have ended or be draining");
    }
    LOG.info("{}: {}", reason, names(drained));
    return drained;
  }

  @Override
  public Text turn(String key, boolean on) throws IOException {
    String user = administrator("switch accelerations");
    if (!key.equals(EngineKeys.ENABLED.name()) && !key.equals(EngineKeys.WARM_APP_MASTER.name())) {
      return refusal(key, whyNot(key));
    }
    if (!cannotRun.isEmpty()) {
      return refusal(
          key,
          "This node has no engines to switch: "
              + cannotRun
              + ". Its NodeManager has to be restarted after that has changed.");
    }
    boolean all = key.equals(EngineKeys.ENABLED.name());
    boolean changed =
        switches.turn(all ? EngineKeys.ENABLED : EngineKeys.WARM_APP_MASTER, on, user);
    LOG.info("{} is switched {} by {}{}", key, on ? "on" : "off", user, changed ? "" : " again");
    List<EngineHandle> drained = new ArrayList<>();
    if (!on) {
      String reason = key + " was switched off by " + user;
      drained.addAll(appMasters.drain(handle -> true, reason));
      drained.addAll(all ? tasks.drain(handle -> true, reason) : List.of());
    }
    return answer(new OrderAnswer(names(drained), key, on, changed, null));
  }

  private Text refusal(String key, String reason) {
    return answer(new OrderAnswer(null, key, null, null, reason));
  }

  private Text answer(Object record) {
    return new Text(status.write(record));
  }

  private static String whyNot(String name) throws InvalidRequestException {
    for (ConfigKey<?> key : EngineKeys.all()) {
      if (key.name().equals(name)) {
        return key.scope() == ConfigKey.Scope.JOB
            ? name
                + " is read from each job's own configuration: set it with -D for a job, or in"
                + " mapred-site.xml for those that are submitted from then on."
            : name
                + " is read when the NodeManager or an engine starts: set it in yarn-site.xml and"
                + " restart the NodeManager.";
      }
    }
    throw new InvalidRequestException(
        "there is no key "
            + name
            + "; "
            + EngineKeys.ENABLED.name()
            + " and "
            + EngineKeys.WARM_APP_MASTER.name()
            + " can be switched while a node runs");
  }

  @Override
  public Text dropCached(String path) throws IOException {
    UserGroupInformation caller = caller();
    boolean all = isAdministrator(caller);
    ObjectNode answer = json.createObjectNode();
    ObjectNode dropped = answer.putObject("dropped");
    for (EngineHandle engine : tasks.engines()) {
      if (all || engine.user().equals(caller.getShortUserName())) {
        try {
          dropped.put(engine.engineId(), engine.dropCached(path));
        } catch (IOException e) {
          LOG.info("{} keeps what it has of {}: {}", engine.engineId(), path, e.getMessage());
        }
      }
    }
    LOG.info("{} had dropped from memory what is in {}: {}", caller, path, dropped);
    return new Text(answer.toString());
  }

  @Override
  public Text profile(String engine, int seconds) throws IOException {
    String user = administrator("profile engines");
    List<EngineHandle> all = new ArrayList<>(tasks.engines());
    all.addAll(appMasters.engines());
    for (EngineHandle one : all) {
      if (one.engineId().equals(engine)) {
        if (seconds > 0) {
          LOG.info("{} is profiled for {} s by {}", engine, seconds, user);
        }
        return new Text(one.profile(seconds));
      }
    }
    throw new InvalidRequestException(
        "no engine of this node is named " + engine + "; it may have ended");
  }

  @Override
  public Text logs(int bytes) throws IOException {
    administrator("read engines' logs");
    Map<String, String> logs = new LinkedHashMap<>();
    int most = Math.max(0, Math.min(bytes, MAX_LOG_BYTES));
    List<EngineHandle> all = new ArrayList<>(tasks.engines());
    all.addAll(appMasters.engines());
    for (EngineHandle engine : all) {
      try {
        Map.Entry<String, String> log = engine.output(most);
        logs.put(log.getKey(), log.getValue());
      } catch (IOException e) {
        // One that belongs to its user can be anything by now.
        logs.put(engine.engineId(), "cannot be read: " + e.getMessage());
      }
    }
    return answer(new EngineLogs(logs));
  }

  private static List<String> names(List<EngineHandle> engines) {
    return engines.stream().map(EngineHandle::engineId).toList();
  }

  private static OrderAnswer drained(List<EngineHandle> engines) {
    return new OrderAnswer(names(engines), null, null, null, null);
  }
}
