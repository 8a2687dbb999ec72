// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.protocol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.TokenIdentifier;

/** Names one engine; whoever holds the token with its password may command it. */
public final class EngineTokenIdentifier extends TokenIdentifier {

  /** Kind of the token, as Hadoop's selectors know it. */
  public static final Text KIND = new Text("MAMMOTH_ENGINE");

  private String engineId = "";

  /** For deserialization. */
  public EngineTokenIdentifier() {}

  public EngineTokenIdentifier(String engineId) {
    this.engineId = engineId;
  }

  @Override
  public Text getKind() {
    return KIND;
  }

  @Override
  public UserGroupInformation getUser() {
    return UserGroupInformation.createRemoteUser("mammoth-supervisor-of-" + engineId);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    Text.writeString(out, engineId);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    engineId = Text.readString(in);
  }
}
