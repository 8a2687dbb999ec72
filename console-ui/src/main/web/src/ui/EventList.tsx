// SPDX-License-Identifier: Apache-2.0
import { Shape } from '../charts/EventMarks';
import { change, type Address } from '../lib/address';
import type { Event } from '../lib/alertTypes';
import { useEvents } from '../lib/eventHooks';
import { eventHref, GROUPS, shapeOf, what } from '../lib/events';
import { count, moment } from '../lib/format';
import { go } from '../lib/hooks';
import { Problem } from './parts';
import { Table } from './Table';

const LIMIT = 1000;

/** What happened within the page's range, of the kinds that are chosen. */
export function EventList({ address }: { address: Address }) {
  const chosen = (address.pick.kinds ?? '').split(',').filter((name) => GROUPS.some((group) => group.name === name));
  const kinds = GROUPS.filter((group) => chosen.includes(group.name)).flatMap((group) => group.kinds);
  const { data, error } = useEvents(address.range, `&limit=${LIMIT}${kinds.length > 0 ? `&kinds=${kinds.join(',')}` : ''}`);
  const turn = (name: string) => {
    const next = chosen.includes(name) ? chosen.filter((one) => one !== name) : [...chosen, name];
    go(change(address, { pick: { kinds: next.join(',') } }), true);
  };
  const rows = (data?.events ?? []).map((event, place) => ({ event, place }));
  return (
    <section aria-label="Timeline of events">
      <div className="head">
        <h2>Events</h2>
        <small className="none">{data ? `${data.more ? 'the latest ' : ''}${count(rows.length)} within the range` : 'loading'}</small>
        <div className="kinds" role="group" aria-label="Kinds of events">
          <button type="button" aria-pressed={chosen.length === 0} onClick={() => go(change(address, { pick: { kinds: '' } }), true)}>
            all
          </button>
          {GROUPS.map((group) => (
            <button key={group.name} type="button" aria-pressed={chosen.includes(group.name)} onClick={() => turn(group.name)}>
              {group.label}
            </button>
          ))}
        </div>
      </div>
      <Problem error={error} what="Events" />
      <Table<{ event: Event; place: number }>
        label="Events"
        rows={rows}
        id={(row) => `${row.event.timeMs} ${rows.length - row.place}`}
        height={460}
        empty={data ? 'Nothing happened within the range, or nothing of these kinds.' : 'Loading.'}
        columns={[
          { name: 'time', label: 'Time', cell: ({ event }) => <a href={eventHref(address, event)}>{moment(event.timeMs)}</a>, sort: ({ event }) => event.timeMs },
          {
            name: 'kind',
            label: 'Kind',
            cell: ({ event }) => (
              <span className="kind">
                <Shape event={event} />
                {shapeOf(event.kind).label}
              </span>
            ),
            sort: ({ event }) => event.kind,
          },
          { name: 'on', label: 'On', most: 340, cell: ({ event }) => event.job || event.node || (event.kind.startsWith('ALERT') ? event.subject : '') || 'the cluster', sort: ({ event }) => event.job || event.node },
          { name: 'what', label: 'What', most: 640, cell: ({ event }) => what(event), sort: ({ event }) => what(event) },
        ]}
      />
    </section>
  );
}
