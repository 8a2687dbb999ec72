// SPDX-License-Identifier: Apache-2.0
import type { ReactNode } from 'react';
import { change, RANGES, type Address } from '../lib/address';
import { moment, percent, stretch, type Figure } from '../lib/format';
import { go, useLive } from '../lib/hooks';
import { lacking, type Teller } from '../lib/live';

/** A number with its name, and what it is part of as a bar; `why` says why it is not known, or not whole. */
export function Stat(props: { label: string; value: ReactNode; of?: [Figure, Figure]; note?: ReactNode; bad?: boolean; href?: string; why?: string | undefined }) {
  const [part, whole] = props.of ?? [null, null];
  const share = part !== null && whole !== null && whole > 0 ? Math.min(1, part / whole) : null;
  return (
    <div className={props.bad ? 'stat bad' : 'stat'}>
      <dt>{props.href ? <a href={props.href}>{props.label}</a> : props.label}</dt>
      <dd>
        <b title={props.why || undefined} className={props.why ? 'partial' : undefined}>
          {props.value}
        </b>
        {share !== null && props.of && (
          <span className="bar" role="img" aria-label={percent(props.of[0], props.of[1])}>
            <span style={{ width: `${100 * share}%` }} />
          </span>
        )}
        {props.note && <small>{props.note}</small>}
      </dd>
    </div>
  );
}

/** Of which nodes the sums of a page are without, and why. */
export function Untold({ of }: { of: Teller[] }) {
  const live = useLive();
  const words: Record<Teller, string> = { engines: 'engines', cache: 'the SSD cache' };
  const lacks = new Map<string, string[]>();
  for (const teller of of) {
    const lack = lacking(live, teller);
    lacks.set(lack, [...(lacks.get(lack) ?? []), words[teller]]);
  }
  lacks.delete('');
  return [...lacks].map(([lack, what]) => (
    <p key={lack} className="none untold">
      Sums of {what.join(' and of ')} are without {lack}.
    </p>
  ));
}

export function RangeBar({ address }: { address: Address }) {
  const { range } = address;
  return (
    <div className="ranges" role="group" aria-label="Time range">
      {Object.entries(RANGES).map(([name, spanMs]) => (
        <a
          key={name}
          href={change(address, { range: { live: true, name, spanMs } })}
          aria-current={range.live && range.name === name ? 'true' : undefined}
        >
          {name}
        </a>
      ))}
      {!range.live && (
        <span className="still" title={`${moment(range.from)} – ${moment(range.to)}`}>
          {stretch(range.from, range.to, Date.now())}{' '}
          <a href={change(address, { range: { live: true, name: '15m', spanMs: RANGES['15m'] ?? 0 } })}>now</a>
        </span>
      )}
    </div>
  );
}

export function Select(props: { label: string; value: string; options: [string, string][]; onChange: (value: string) => void }) {
  return (
    <label className="select">
      {props.label}
      <select value={props.value} onChange={(event) => props.onChange(event.target.value)}>
        {props.options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

export function Problem({ error, what }: { error: Error | null; what: string }) {
  return error ? (
    <p className="problem" role="alert">
      {what}: {error.message}
    </p>
  ) : null;
}

/** What an empty table says: that there is nothing is known once somebody has told. */
export const told = (known: boolean, error: Error | null, nothing: string): string => (known ? nothing : error ? 'The console does not tell.' : 'Loading.');

export function picker(address: Address, name: string) {
  return (value: string) => go(change(address, { pick: { [name]: value } }));
}

export function Reach({ reach, reason }: { reach: string; reason: string }) {
  const words: Record<string, string> = {
    OK: 'ok',
    CACHE: 'cache only',
    STOCK: 'stock',
    NEW: 'not read yet',
    SLOW: 'slow',
    GONE: 'unreachable',
    REFUSED: 'refuses',
    FOREIGN: 'other version',
  };
  return (
    <span className={`reach r-${reach.toLowerCase()}`} title={reason}>
      {words[reach] ?? reach}
    </span>
  );
}
