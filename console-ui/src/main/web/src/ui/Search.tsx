// SPDX-License-Identifier: Apache-2.0
import { useEffect, useId, useRef, useState } from 'react';
import type { Address, Page } from '../lib/address';
import { find, type Hit } from '../lib/find';
import { getJson, go, useLive } from '../lib/hooks';
import type { JobRow } from '../lib/types';

/** Whether a key was meant for a field and not for the page. */
const typing = (target: EventTarget | null) => target instanceof HTMLElement && (target.isContentEditable || ['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName));

/** Search for anything: the key / opens it, arrows choose, Enter goes there, Escape closes. */
export function Search({ address, titles }: { address: Address; titles: Record<Page, string> }) {
  const live = useLive();
  const dialog = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  const [words, setWords] = useState('');
  const [at, setAt] = useState(0);
  const [jobs, setJobs] = useState<JobRow[]>([]);
  const list = useId();

  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !typing(event.target)) {
        event.preventDefault();
        setOpen(true);
      }
    };
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
  }, []);

  useEffect(() => {
    if (!open) {
      return undefined;
    }
    dialog.current?.showModal();
    setWords('');
    setAt(0);
    const abort = new AbortController();
    getJson<{ jobs: JobRow[] }>('jobs', abort.signal)
      .then((answer) => setJobs(answer.jobs))
      // Those that run are known by the stream.
      .catch(() => undefined);
    return () => abort.abort();
  }, [open]);

  const known = new Map([...(live.overview?.jobs ?? []), ...jobs].map((row) => [row.job.id, row]));
  const hits = open ? find(words, { address, titles, nodes: [...live.nodes.values()], jobs: [...known.values()] }) : [];
  const chosen = Math.min(at, hits.length - 1);
  const close = () => dialog.current?.close();
  const lead = (hit: Hit) => {
    close();
    go(hit.href);
  };
  const key = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && hits.length > 0) {
      event.preventDefault();
      setAt((chosen + step + hits.length) % hits.length);
    }
    const hit = hits[chosen];
    if (event.key === 'Enter' && hit) {
      event.preventDefault();
      lead(hit);
    }
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} title="Search (key /)" aria-label="Search">
        <span className="word">Search </span>
        <kbd aria-hidden="true">/</kbd>
      </button>
      {open && (
        <dialog ref={dialog} className="search" aria-label="Search" onClose={() => setOpen(false)} onClick={(event) => event.target === dialog.current && close()}>
          <input
            type="search"
            role="combobox"
            aria-label="Search for a page, a node or a job"
            aria-expanded={hits.length > 0}
            aria-controls={list}
            aria-activedescendant={chosen >= 0 ? `${list}-${chosen}` : undefined}
            autoFocus
            autoComplete="off"
            placeholder="page, node, rack, job, its name, user or queue"
            value={words}
            onChange={(event) => {
              setWords(event.target.value);
              setAt(0);
            }}
            onKeyDown={key}
          />
          <ul id={list} role="listbox" aria-label="Found">
            {hits.map((hit, i) => (
              <li
                key={`${hit.kind} ${hit.name}`}
                id={`${list}-${i}`}
                role="option"
                aria-selected={i === chosen}
                ref={i === chosen ? (row) => row?.scrollIntoView({ block: 'nearest' }) : undefined}
                onClick={() => lead(hit)}
              >
                <small>{hit.kind}</small>
                <b>{hit.name}</b>
                <span>{hit.note}</span>
              </li>
            ))}
          </ul>
          {hits.length === 0 && <p className="none">Nothing known here has “{words}” in its name.</p>}
        </dialog>
      )}
    </>
  );
}
