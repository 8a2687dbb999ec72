// SPDX-License-Identifier: Apache-2.0
import { Shape } from '../charts/EventMarks';
import { change, type Address } from '../lib/address';
import { useShownEvents } from '../lib/eventHooks';
import { eventHref, words } from '../lib/events';
import { clock, count } from '../lib/format';

const SHOWN = 8;

/** What happened last within the page's range. */
export function LatestEvents({ address }: { address: Address }) {
  const events = [...(useShownEvents()?.events ?? [])].sort((a, b) => b.timeMs - a.timeMs);
  return (
    <section aria-label="Latest events">
      <div className="head">
        <h2>Latest events</h2>
        <a href={change(address, { page: 'alerts' })}>{events.length > SHOWN ? `all ${count(events.length)}` : 'alerts and events'}</a>
      </div>
      {events.length === 0 ? (
        <p className="none">Nothing happened within the range.</p>
      ) : (
        <ul className="timeline">
          {events.slice(0, SHOWN).map((event, i) => (
            <li key={`${event.timeMs} ${i}`}>
              <Shape event={event} />
              <a href={eventHref(address, event)}>{clock(event.timeMs)}</a> <span>{words(event)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
