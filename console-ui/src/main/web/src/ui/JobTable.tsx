// SPDX-License-Identifier: Apache-2.0
import { change, type Address } from '../lib/address';
import { bytes, count, moment, span, UNKNOWN, type Figure } from '../lib/format';
import { useLive } from '../lib/hooks';
import { held, tasksOf, type Said } from '../lib/jobs';
import type { JobRow } from '../lib/types';
import { Table, type Column } from './Table';

const ended = (row: JobRow) => (row.job.finishedMs > 0 ? row.job.finalStatus : row.job.state).toLowerCase();

/** With `onSort` the rows are those of the console's order, of which it may have told a part only. */
export function JobTable(props: { rows: JobRow[]; address: Address; columns: string[]; selected?: string | undefined; height?: number; empty?: string; part?: string; sort?: string; onSort?: (sort: string) => void; ticks?: { ids: string[]; tick: (id: string) => void } }) {
  const now = useLive().overview?.timeMs ?? Date.now();
  const number = (name: string, label: string, say: (row: JobRow) => Said, write: (v: Figure) => string, words: { now?: string; past?: string }): Column<JobRow> => ({
    name,
    label,
    number: true,
    cell: (row) => {
      const { figure, why } = say(row);
      const [before = '', after = ''] = row.job.finishedMs > 0 ? [words.past] : ['', words.now];
      return <span title={why || undefined}>{figure === null ? UNKNOWN : `${before} ${write(figure)} ${after}`.trim()}</span>;
    },
    sort: (row) => say(row).figure,
  });
  const memory = (name: string, label: string) => number(name, label, (row) => held(row, props.columns, name), bytes, { past: 'peak' });
  const { ticks } = props;
  const columns: Column<JobRow>[] = [
    ...(ticks
      ? [
          {
            name: 'tick',
            label: 'Tick',
            cell: (row: JobRow) => <input type="checkbox" aria-label={`Compare ${row.job.id}`} checked={ticks.ids.includes(row.job.id)} onChange={() => ticks.tick(row.job.id)} />,
          },
        ]
      : []),
    {
      name: 'id',
      label: 'Job',
      cell: (row) => <a href={change(props.address, { page: 'jobs', pick: { job: row.job.id } })}>{row.job.id}</a>,
      sort: (row) => row.job.id,
    },
    { name: 'name', label: 'Name', most: 190, cell: (row) => row.job.name.slice(0, 60), sort: (row) => row.job.name },
    { name: 'user', label: 'User', cell: (row) => row.job.user, sort: (row) => row.job.user },
    ...(ticks ? [{ name: 'queue', label: 'Queue', cell: (row: JobRow) => row.job.queue, sort: (row: JobRow) => row.job.queue }] : []),
    { name: 'state', label: 'State', cell: (row) => `${ended(row)}${ticks && row.job.finishedMs === 0 ? ` ${row.job.progress.toFixed(0)} %` : ''}`, sort: ended },
    ...(ticks ? [] : [{ name: 'progress', label: 'Done', number: true, cell: (row: JobRow) => `${row.job.progress.toFixed(0)} %`, sort: (row: JobRow) => row.job.progress }]),
    { name: 'started', label: 'Started', cell: (row) => <span title={moment(row.job.startedMs)}>{moment(row.job.startedMs).slice(5, 16)}</span>, sort: (row) => row.job.startedMs },
    {
      name: 'took',
      label: 'Took',
      number: true,
      cell: (row) => span((row.job.finishedMs || now) - row.job.startedMs),
      sort: (row) => (row.job.finishedMs || now) - row.job.startedMs,
    },
    number('maps', 'Maps', (row) => tasksOf(row, props.columns, 'maps'), count, { now: 'now' }),
    number('reduces', 'Reduces', (row) => tasksOf(row, props.columns, 'reduces'), count, { now: 'now' }),
    memory('total', 'Memory'),
    memory('sort', 'Sort'),
    memory('send', 'Send'),
    memory('receive', 'Receive'),
    number('nodes', 'Nodes', (row) => held(row, props.columns, 'nodes'), count, { past: 'peak' }),
  ];
  return (
    <Table
      label="Jobs"
      rows={props.rows}
      columns={columns}
      id={(row) => row.job.id}
      sort={props.sort ?? '-started'}
      {...(props.onSort ? { onSort: props.onSort, sorted: true } : {})}
      selected={props.selected}
      height={props.height ?? 260}
      empty={props.empty ?? 'No job runs.'}
      part={props.part ?? ''}
    />
  );
}
