// SPDX-License-Identifier: Apache-2.0
package org.mammoth.mapreduce.protocol;

import java.util.Collection;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.security.token.TokenSelector;

/** Finds the engine's token among a caller's credentials, by kind and service. */
public final class EngineTokenSelector implements TokenSelector<EngineTokenIdentifier> {

  @Override
  @SuppressWarnings("unchecked")
  public Token<EngineTokenIdentifier> selectToken(
      Text service, Collection<Token<? extends TokenIdentifier>> tokens) {
    for (Token<? extends TokenIdentifier> token : tokens) {
      if (EngineTokenIdentifier.KIND.equals(token.getKind())
          && token.getService().equals(service)) {
        return (Token<EngineTokenIdentifier>) token;
      }
    }
    return null;
  }
}
