// SPDX-License-Identifier: Apache-2.0
package org.mammoth.frameworks.natives;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Keeps words as keys that were packed and unpacked again, by the library's own threads, too. */
final class ZstdKeeper implements Keeper {
  private final ZstdCompressCtx packer = new ZstdCompressCtx().setLevel(5).setWorkers(1);
  private final Map<String, Long> counts = new HashMap<>();

  @Override
  public long add(String word) {
    byte[] plain = word.repeat(9).getBytes(StandardCharsets.UTF_8);
    byte[] packed = packer.compress(plain);
    byte[] again = Zstd.decompress(packed, plain.length);
    String key = new String(again, StandardCharsets.UTF_8).substring(0, word.length());
    return counts.merge(key, 1L, Long::sum);
  }

  @Override
  public void close() {
    packer.close();
  }
}
