// SPDX-License-Identifier: Apache-2.0
package org.mammoth.compat.neighbours.parts;

import java.io.DataInput;
import java.io.DataOutput;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.mammoth.compat.neighbours.Deed;

/** An identifier without contents. */
public final class MarkIdentifier extends TokenIdentifier {
  @Override
  public Text getKind() {
    return new Text(Deed.MARK);
  }

  @Override
  public UserGroupInformation getUser() {
    return UserGroupInformation.createRemoteUser(Deed.MARK);
  }

  @Override
  public void write(DataOutput out) {}

  @Override
  public void readFields(DataInput in) {}

  @Override
  public String toString() {
    return Deed.MARK;
  }
}
