// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.protocol;

import org.apache.hadoop.security.token.SecretManager;

/** The engine's side of its one token: the password is the secret its supervisor wrote. */
public final class EngineSecretManager extends SecretManager<EngineTokenIdentifier> {

  private final byte[] secret;

  public EngineSecretManager(byte[] secret) {
    this.secret = secret.clone();
  }

  @Override
  protected byte[] createPassword(EngineTokenIdentifier identifier) {
    return createPassword(identifier.getBytes(), createSecretKey(secret));
  }

  @Override
  public byte[] retrievePassword(EngineTokenIdentifier identifier) {
    return createPassword(identifier);
  }

  @Override
  public EngineTokenIdentifier createIdentifier() {
    return new EngineTokenIdentifier();
  }
}
