// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import { count, shortAttempt } from '../lib/format';
import { getJson, LONG_MS } from '../lib/hooks';
import { Select } from './parts';
import { Table } from './Table';

interface Found {
  file: string;
  lines: { attempt: string; node: string; text: string }[];
  attempts: number;
  unread: number;
  unreadWhy: string;
  tasks: number;
  searched: number;
  cut: string;
  /** Of how many files only the end was looked at, and how many have more lines with the text. */
  ends: number;
  more: number;
}

/** What was looked at, in words. */
export function looked(found: Found): string {
  const whole = `${count(found.lines.length)} lines in ${found.file} of ${count(found.attempts)} attempts, ${count(found.searched)} of ${count(found.tasks)} tasks`;
  const unread = found.unread > 0 ? `; ${count(found.unread)} could not be read (${found.unreadWhy})` : '';
  const ends = found.ends > 0 ? `; of ${count(found.ends)} only the last MiB was looked at` : '';
  const more = found.more > 0 ? `; ${count(found.more)} have more such lines than are shown` : '';
  return `${whole}${unread}${ends}${more}${found.cut ? `; not all was looked at: ${found.cut}` : ''}.`;
}

/** Search in the logs of a job: of its ApplicationMaster, then of tasks, those that failed first. */
export function LogSearch({ job }: { job: string }) {
  const [text, setText] = useState('');
  const [file, setFile] = useState('syslog');
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<Found | null>(null);
  const [error, setError] = useState('');
  const ask = (event: React.FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError('');
    getJson<Found>(`jobs/${job}/logs?file=${file}&find=${encodeURIComponent(text)}`, undefined, LONG_MS)
      .then(setFound)
      .catch((e: Error) => setError(e.message))
      .finally(() => setBusy(false));
  };
  return (
    <section aria-label="Search in logs">
      <form className="controls" onSubmit={ask}>
        <h2>Logs</h2>
        <label className="select">
          Find
          <input type="search" required maxLength={200} value={text} placeholder="in any case, as WARN or Exception" onChange={(event) => setText(event.target.value)} />
        </label>
        <Select
          label="in"
          value={file}
          options={[
            ['syslog', 'syslog'],
            ['stderr', 'stderr'],
            ['stdout', 'stdout'],
          ]}
          onChange={setFile}
        />
        <button type="submit" disabled={busy}>
          {busy ? 'looking …' : 'search'}
        </button>
        <small className="none" role="status">
          {found && !busy ? looked(found) : ''}
        </small>
      </form>
      {error && (
        <p className="problem" role="alert">
          {error}
        </p>
      )}
      {found && found.lines.length > 0 && (
        <Table
          label="Lines found in logs"
          rows={found.lines.map((line, i) => ({ ...line, i }))}
          id={(line) => String(line.i)}
          height={320}
          columns={[
            { name: 'attempt', label: 'Attempt', cell: (line) => shortAttempt(line.attempt), sort: (line) => line.attempt },
            { name: 'node', label: 'Node', cell: (line) => line.node, sort: (line) => line.node },
            { name: 'text', label: 'Line', most: 900, cell: (line) => line.text, sort: (line) => line.text },
          ]}
        />
      )}
    </section>
  );
}
