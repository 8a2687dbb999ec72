// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link NodeEnginesMXBean} over the supervisors. */
final class NodeEnginesBean implements NodeEnginesMXBean {

  private static final Logger LOG = LoggerFactory.getLogger(NodeEnginesBean.class);

  private final BooleanSupplier enabled;
  private final EngineSupervisor tasks;
  private final AppMasterHosts appMasters;
  private final FallbackLog fallbacks;
  private final ObjectMapper json = new ObjectMapper();

  NodeEnginesBean(
      BooleanSupplier enabled,
      EngineSupervisor tasks,
      AppMasterHosts appMasters,
      FallbackLog fallbacks) {
    this.enabled = enabled;
    this.tasks = tasks;
    this.appMasters = appMasters;
    this.fallbacks = fallbacks;
  }

  @Override
  public String getStatus() {
    ObjectNode status = json.createObjectNode();
    status.put("enabled", isEnabled());
    status.put("shareMb", getShareMb());
    status.put("admittedMb", getAdmittedMb());
    status.put("admittedTasks", getAdmittedTasks());
    status.put("fallbacks", getFallbacks());
    status.set("fallbackReasons", json.valueToTree(fallbacks.byReason()));
    status.set("engines", reports(tasks.engines()));
    status.set("appMasterHosts", reports(appMasters.engines()));
    return status.toString();
  }

  private ArrayNode reports(List<EngineHandle> all) {
    ArrayNode engines = json.createArrayNode();
    for (EngineHandle engine : all) {
      try {
        JsonNode said = json.readTree(engine.latestReport().statusJson());
        // A user's own engine may say what it likes.
        ObjectNode report = said instanceof ObjectNode node ? node : json.createObjectNode();
        // A starting engine has not reported yet; who and where is known here.
        report.put("engineId", engine.engineId());
        report.put("user", engine.user());
        report.put("pid", engine.pid());
        report.put("open", engine.isOpen());
        engines.add(report);
      } catch (JsonProcessingException e) {
        LOG.warn("Engine {} of {} reports no JSON", engine.engineId(), engine.user(), e);
      }
    }
    return engines;
  }

  @Override
  public boolean isEnabled() {
    return enabled.getAsBoolean();
  }

  @Override
  public long getShareMb() {
    return tasks.admission().shareMb();
  }

  @Override
  public long getAdmittedMb() {
    return tasks.admission().usedMb();
  }

  @Override
  public int getAdmittedTasks() {
    return tasks.admission().holders();
  }

  @Override
  public long getFallbacks() {
    return fallbacks.total();
  }

  @Override
  public int getEngines() {
    return tasks.engines().size();
  }
}
