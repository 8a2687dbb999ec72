// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'react';
import { change, type Address } from '../lib/address';
import { count } from '../lib/format';
import { go } from '../lib/hooks';
import { PAGE, type JobsFound } from '../lib/past';
import { Select } from './parts';

const STATES = ['RUNNING', 'SUCCEEDED', 'FAILED', 'KILLED'];

/** What jobs are looked for; all of it is in the address, and another choice begins at the first page. */
export function JobFilters({ address, found }: { address: Address; found: JobsFound | null }) {
  const { pick } = address;
  const [text, setText] = useState(pick.find ?? '');
  useEffect(() => setText(pick.find ?? ''), [pick.find]);
  const set = (name: string, value: string) => go(change(address, { pick: { [name]: value, offset: '' } }), true);
  // Each letter is another question to the console; it is asked once who types pauses.
  useEffect(() => {
    const timer = window.setTimeout(() => text !== (pick.find ?? '') && set('find', text), 300);
    return () => window.clearTimeout(timer);
  });
  const named = (names: string[] | undefined, chosen: string | undefined): [string, string][] => [
    ['', 'all'],
    ...[...new Set([...(names ?? []), ...(chosen ? [chosen] : [])])].map((name): [string, string] => [name, name]),
  ];
  const any = pick.find || pick.user || pick.queue || pick.state;
  return (
    <form className="controls filters" role="search" aria-label="Find jobs" onSubmit={(event) => event.preventDefault()}>
      <label className="select">
        Find
        <input type="search" placeholder="part of the name or id" value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <Select label="User" value={pick.user ?? ''} options={named(found?.users, pick.user)} onChange={(value) => set('user', value)} />
      <Select label="Queue" value={pick.queue ?? ''} options={named(found?.queues, pick.queue)} onChange={(value) => set('queue', value)} />
      <Select
        label="State"
        value={pick.state ?? ''}
        options={[['', 'all'], ...STATES.map((state): [string, string] => [state, `${state.toLowerCase()}${found ? ` (${count(found.states[state] ?? 0)})` : ''}`])]}
        onChange={(value) => set('state', value)}
      />
      {any && <a href={change(address, { pick: { find: '', user: '', queue: '', state: '', offset: '' } })}>all jobs</a>}
      {found && <Pages address={address} found={found} />}
    </form>
  );
}

function Pages({ address, found }: { address: Address; found: JobsFound }) {
  const { offset, matches, jobs } = found;
  const to = (next: number) => change(address, { pick: { offset: next > 0 ? String(next) : '' } });
  if (matches <= jobs.length && offset === 0) {
    return null;
  }
  return (
    <span className="pages" role="group" aria-label="Pages">
      {offset > 0 ? <a href={to(Math.max(0, offset - PAGE))}>← before</a> : <span className="off">← before</span>}
      <span>
        {jobs.length > 0 ? `${count(offset + 1)} – ${count(offset + jobs.length)}` : 'none'} of {count(matches)}
      </span>
      {offset + jobs.length < matches ? <a href={to(offset + PAGE)}>after →</a> : <span className="off">after →</span>}
    </span>
  );
}
