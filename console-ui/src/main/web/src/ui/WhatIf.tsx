// SPDX-License-Identifier: Apache-2.0
import { useMemo, useState } from 'react';
import { count, percent } from '../lib/format';
import { getJson } from '../lib/hooks';
import type { WhatIfView } from '../lib/types';
import { Problem } from './parts';
import { Table } from './Table';

/** The recorded reads under other policies and sizes; simulated by the console, on request only. */
export function WhatIf() {
  const [sizes, setSizes] = useState('');
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<WhatIfView | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const run = () => {
    setBusy(true);
    setError(null);
    const wanted = sizes.replaceAll(/\s/g, '');
    getJson<WhatIfView>(`cache/whatif${wanted ? `?sizes=${encodeURIComponent(wanted)}` : ''}`)
      .then(setResult)
      .catch((e: Error) => setError(e))
      .finally(() => setBusy(false));
  };
  const best = useMemo(() => Math.max(0, ...(result?.runs ?? []).map((r) => r.blockHitRate)), [result]);
  return (
    <section aria-label="What if">
      <div className="head">
        <h2>What if</h2>
        <label className="select">
          GiB of SSD per slave
          <input type="text" inputMode="decimal" placeholder="half, once, twice today's" value={sizes} onChange={(event) => setSizes(event.target.value)} />
        </label>
        <button type="button" disabled={busy} onClick={run}>
          {busy ? 'simulating …' : 'simulate the recorded reads'}
        </button>
        <small className="none" role="status">
          {result && (result.rounds === 0 ? 'no read of a whole data set has been recorded yet' : `${count(result.rounds)} rounds of ${count(result.blockReads)} blocks on ${count(result.slaves)} slaves`)}
        </small>
      </div>
      <Problem error={error} what="What if" />
      {result && result.runs.length > 0 && (
        <Table
          label="What if"
          rows={result.runs}
          id={(r) => `${r.policy} ${r.cacheGiB}`}
          sort="-block"
          height={260}
          columns={[
            { name: 'policy', label: 'Policy', cell: (r) => r.policy, sort: (r) => r.policy },
            { name: 'size', label: 'GiB per slave', number: true, cell: (r) => r.cacheGiB.toFixed(r.cacheGiB < 10 ? 2 : 0), sort: (r) => r.cacheGiB },
            { name: 'block', label: 'Hits by blocks', number: true, cell: (r) => (r.blockHitRate === best ? <b>{percent(r.blockHitRate, 1)}</b> : percent(r.blockHitRate, 1)), sort: (r) => r.blockHitRate },
            { name: 'mean', label: 'Hits of a mean round', number: true, cell: (r) => percent(r.hitRate, 1), sort: (r) => r.hitRate },
            { name: 'complete', label: 'Whole rounds from SSD', number: true, cell: (r) => percent(r.completeRate, 1), sort: (r) => r.completeRate },
          ]}
        />
      )}
      <p className="hint">From the last 2,000 reads of whole data sets the NameNode remembers and you may read; what jobs spill to SSD is not in it.</p>
    </section>
  );
}
