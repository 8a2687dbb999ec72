// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useState } from 'react';
import { FlameGraph } from '../charts/FlameGraph';
import { tree, type Profile as Recorded } from '../lib/flame';
import { bytes, count, moment, span } from '../lib/format';
import { getJson, order } from '../lib/hooks';
import { Select } from './parts';

const SECONDS = ['5', '10', '30', '60'];

/** What an engine's threads run and allocate, sampled when asked for. */
export function Profile({ node, engines }: { node: string; engines: string[] }) {
  const [engine, setEngine] = useState('');
  const [seconds, setSeconds] = useState('10');
  const [of, setOf] = useState<'cpu' | 'allocation'>('cpu');
  const [told, setTold] = useState<Recorded | null>(null);
  const [error, setError] = useState('');
  const which = engines.includes(engine) ? engine : (engines[0] ?? '');
  const base = `nodes/${encodeURIComponent(node)}/profile?engine=${encodeURIComponent(which)}`;
  const failed = (e: Error) => setError(e.message);

  // What another administrator, or this one before, has recorded is there to be seen.
  useEffect(() => {
    setTold(null);
    setError('');
    const abort = new AbortController();
    if (which) {
      getJson<Recorded>(base, abort.signal)
        .then(setTold)
        .catch((e: Error) => !abort.signal.aborted && failed(e));
    }
    return () => abort.abort();
  }, [base, which]);

  useEffect(() => {
    if (told?.state !== 'running') {
      return undefined;
    }
    const timer = window.setTimeout(() => getJson<Recorded>(base).then(setTold).catch(failed), Math.min(1000, told.remainingMs ?? 1000) + 200);
    return () => window.clearTimeout(timer);
  }, [told, base]);

  const root = useMemo(() => (told?.state === 'done' ? tree((of === 'cpu' ? told.cpu : told.allocation) ?? {}) : null), [told, of]);
  const begin = () => {
    setError('');
    order<Recorded>(`${base}&seconds=${seconds}`).then(setTold).catch(failed);
  };
  if (!which) {
    return <p className="none">No engine runs that could be sampled.</p>;
  }
  return (
    <section aria-label="Profile">
      <div className="controls">
        <Select label="Engine" value={which} options={engines.map((id): [string, string] => [id, id])} onChange={setEngine} />
        <Select label="for" value={seconds} options={SECONDS.map((n): [string, string] => [n, `${n} s`])} onChange={setSeconds} />
        <button type="button" disabled={told?.state === 'running'} onClick={begin}>
          sample
        </button>
        <Select
          label="Show"
          value={of}
          options={[
            ['cpu', 'what runs'],
            ['allocation', 'what allocates'],
          ]}
          onChange={(value) => setOf(value === 'cpu' ? 'cpu' : 'allocation')}
        />
      </div>
      {error && (
        <p className="problem" role="alert">
          {error}
        </p>
      )}
      <p className="none" role="status">
        {told?.state === 'running' && `Sampling; ${span(told.remainingMs ?? 0)} to go.`}
        {told?.state === 'none' && !error && 'Nothing was sampled yet. Jobs go on while an engine is sampled.'}
        {told?.state === 'done' && `${moment(told.startedMs ?? 0)}, ${told.seconds} s, a sample each ${told.periodMs} ms of each thread that runs.`}
      </p>
      {root && (
        <FlameGraph
          key={`${which} ${told?.startedMs} ${of}`}
          title={of === 'cpu' ? 'What runs' : 'What allocates'}
          root={root}
          format={of === 'cpu' ? (n) => `${count(n)} samples` : bytes}
        />
      )}
    </section>
  );
}
