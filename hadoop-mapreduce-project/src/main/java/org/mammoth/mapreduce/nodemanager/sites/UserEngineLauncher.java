// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.nodemanager.sites;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.launcher.ContainerLaunch;
import org.mammoth.mapreduce.nodemanager.classes.RewrittenClassFiles;
import org.mammoth.mapreduce.nodemanager.processes.UserProcesses;
import org.mammoth.mapreduce.protocol.EngineDelivery;
import org.mammoth.mapreduce.protocol.EngineHome;

/**
 * Prepares engines that run as their users: writes the script and the credentials file that {@code
 * container-executor} copies for them. Thread-safe.
 */
public final class UserEngineLauncher {

  private static final String OF_CONSOLE = "mammoth.console.";

  private final EngineLauncher launcher;
  private final String role;

  /**
   * @param role see {@link EngineLauncher#start}
   */
  public UserEngineLauncher(EngineLauncher launcher, String role) {
    this.launcher = launcher;
    this.role = role;
  }

  /** As {@link EngineLauncher#started}. */
  void started() {
    launcher.started();
  }

  /** As {@link EngineLauncher#endedWhileStarting}. */
  void endedWhileStarting(String engineId) {
    launcher.endedWhileStarting(engineId);
  }

  /**
   * Writes what a launch needs.
   *
   * @param home the NodeManager's own of this engine
   * @param place where the engine will live
   * @return the launch
   */
  UserProcesses.Launch prepare(EngineHome home, String user, EnginePlace place, EngineSizing sizing)
      throws IOException {
    Path own = place.home(home.engineId());
    RewrittenClassFiles.Kept kept = launcher.rewrittenClasses(role);
    EngineLauncher.Places places =
        new EngineLauncher.Places(
            own, own.resolve("agent.jar"), place.logs(), place.shared().resolve(kept.name()));
    List<String> command = new ArrayList<>(launcher.command(places, user, role, sizing));
    command.add(place.folder().resolve(ContainerLaunch.FINAL_CONTAINER_TOKENS_FILE).toString());
    Map<String, String> variables = new HashMap<>();
    variables.put("CLASSPATH", launcher.classPath());
    variables.put("USER", user);
    variables.put("LOGNAME", user);
    EngineScript script = new EngineScript(places, place.output(), kept);
    Path scriptFile = home.folder().resolve("engine.sh");
    Files.createFile(
        scriptFile,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.writeString(
        scriptFile,
        script.text(command, launcher.environment(), variables),
        StandardCharsets.UTF_8);
    Path credentials = home.folder().resolve("credentials");
    byte[] settings = settings();
    EngineDelivery.write(credentials, home, settings);
    Files.write(home.settings(), settings);
    return new UserProcesses.Launch(
        user,
        place.folder().getParent().getFileName().toString(),
        place.folder().getFileName().toString(),
        place.folder(),
        scriptFile,
        credentials,
        pidFile(home),
        launcher.groups(sizing));
  }

  /** Without what is the console's, such as passwords. */
  private byte[] settings() throws IOException {
    Configuration settings = launcher.settings();
    settings
        .getPropsWithPrefix(OF_CONSOLE)
        .keySet()
        .forEach(key -> settings.unset(OF_CONSOLE + key));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    settings.writeXml(out);
    return out.toByteArray();
  }

  /** Where the number of the engine's process is written to. */
  static Path pidFile(EngineHome home) {
    return home.folder().resolve("pid");
  }

  /** How the engine's process ended; is there once it has. */
  static Path exitFile(EngineHome home) {
    return home.folder().resolve("pid.exitcode");
  }
}
