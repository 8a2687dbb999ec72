// SPDX-License-Identifier: Apache-2.0
import { createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import type { Address, Range } from './address';
import type { Event, EventsView } from './alertTypes';
import { concerning } from './events';
import { bounds, getJson, grows, RETRY_MS, useLive, type Loaded } from './hooks';

/** The events of a range; of one of which more is to come they are read again, the more often the shorter it is. */
export function useEvents(range: Range, more: string): Loaded<EventsView> {
  const live = useLive();
  const now = useRef(Date.now());
  now.current = live.overview?.timeMs ?? Date.now();
  const known = live.overview !== null;
  const id = range.live ? `live ${range.spanMs}` : `${range.from} ${range.to}`;
  const [loaded, setLoaded] = useState<Loaded<EventsView>>({ data: null, error: null });
  useEffect(() => {
    // Before the first second the console's clock is not known, and this host's may be another.
    if (!known) {
      return undefined;
    }
    const abort = new AbortController();
    let timer = 0;
    const read = () => {
      const [from, to] = bounds(range, now.current);
      let pauseMs = grows(range, now.current) ? Math.min(60_000, Math.max(5_000, (to - from) / 180)) : 0;
      // What happens while this is under way is in the next answer.
      getJson<EventsView>(`events?from=${Math.max(0, Math.floor(from))}&to=${Math.ceil(to) + (range.live ? 60_000 : 0)}${more}`, abort.signal)
        .then((data) => setLoaded({ data, error: null }))
        .catch((error: Error) => {
          if (!abort.signal.aborted) {
            setLoaded((before) => ({ ...before, error }));
            pauseMs = RETRY_MS;
          }
        })
        .finally(() => {
          if (!abort.signal.aborted && pauseMs > 0) {
            timer = window.setTimeout(read, pauseMs);
          }
        });
    };
    read();
    return () => {
      abort.abort();
      window.clearTimeout(timer);
    };
  }, [id, more, known]);
  return loaded;
}

interface Shown {
  address: Address;
  events: Event[];
}

export const EventsShown = createContext<Shown | null>(null);

/** What all charts of a page mark, and the address their links start from; null outside of a page. */
export const useShownEvents = () => useContext(EventsShown);

/** Reads the events of a page's range once for all its charts. */
export function EventsOfRange({ address, children }: { address: Address; children: ReactNode }) {
  const { data } = useEvents(address.range, '&limit=1000');
  const events = useMemo(() => concerning(data?.events ?? [], address.pick), [data, address.pick]);
  const shown = useMemo(() => ({ address, events }), [address, events]);
  return <EventsShown value={shown}>{children}</EventsShown>;
}
