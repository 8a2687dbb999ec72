import { change, type Address } from '../lib/address';
import { bytes, count, moment, span } from '../lib/format';
import { useLive } from '../lib/hooks';
import type { JobRow } from '../lib/types';
import { Table, type Column } from './Table';

export function JobTable(props: { rows: JobRow[]; address: Address; columns: string[]; selected?: string | undefined; height?: number }) {
  const now = useLive().overview?.timeMs ?? Date.now();
  const use = (row: JobRow, name: string) => row.use[props.columns.indexOf(name)] ?? 0;
  const number = (name: string, label: string, format: (v: number) => string): Column<JobRow> => ({
    name,
    label,
    number: true,
    // What a job held is known while it runs; afterwards it is not 0, but not told.
    cell: (row) => (row.job.finishedMs > 0 ? '–' : format(use(row, name))),
    sort: (row) => use(row, name),
  });
  const columns: Column<JobRow>[] = [
    {
      name: 'id',
      label: 'Job',
      cell: (row) => <a href={change(props.address, { page: 'jobs', pick: { job: row.job.id } })}>{row.job.id}</a>,
      sort: (row) => row.job.id,
    },
    { name: 'name', label: 'Name', cell: (row) => row.job.name.slice(0, 60), sort: (row) => row.job.name },
    { name: 'user', label: 'User', cell: (row) => row.job.user, sort: (row) => row.job.user },
    { name: 'state', label: 'State', cell: (row) => (row.job.finishedMs > 0 ? row.job.finalStatus : row.job.state).toLowerCase(), sort: (row) => row.job.state },
    { name: 'progress', label: 'Done', number: true, cell: (row) => `${row.job.progress.toFixed(0)} %`, sort: (row) => row.job.progress },
    { name: 'started', label: 'Started', cell: (row) => moment(row.job.startedMs), sort: (row) => row.job.startedMs },
    {
      name: 'took',
      label: 'Took',
      number: true,
      cell: (row) => span((row.job.finishedMs || now) - row.job.startedMs),
      sort: (row) => (row.job.finishedMs || now) - row.job.startedMs,
    },
    number('maps', 'Maps', count),
    number('reduces', 'Reduces', count),
    number('sort', 'Sort', bytes),
    number('send', 'Send', bytes),
    number('receive', 'Receive', bytes),
    number('nodes', 'Nodes', count),
  ];
  return (
    <Table
      label="Jobs"
      rows={props.rows}
      columns={columns}
      id={(row) => row.job.id}
      sort="-started"
      selected={props.selected}
      height={props.height ?? 260}
      empty="No job runs."
    />
  );
}
