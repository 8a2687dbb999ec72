// SPDX-License-Identifier: Apache-2.0
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { ApiError, answerOf } from './answers';
import { parse, type Address, type Range } from './address';
import type { Figure } from './format';
import { LiveStore, type Live } from './live';
import { save } from './save';
import { choose, chosenZone, LOCAL } from './zone';
import type { About, Series } from './types';

const API = './api/v1/';
const store = new LiveStore(`${API}stream`, (path) => getJson(path));

export function useLive(): Live {
  return useSyncExternalStore(store.subscribe, store.get);
}

export const restartSeen = () => store.seen();

/** The time by this browser's clock, once a second, whether anything is heard or not. */
export function useSecond(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1000);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}

const hashListeners = (listener: () => void) => {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
};

export function useAddress(): Address {
  const hash = useSyncExternalStore(hashListeners, () => window.location.hash);
  return useMemo(() => parse(hash), [hash]);
}

/** Goes to an address of this page; a new entry of the browser's history unless told not to. */
export function go(hash: string, replace = false) {
  if (replace) {
    window.history.replaceState(null, '', hash);
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  } else {
    window.location.hash = hash;
  }
}

/** An answer comes within so many milliseconds, or its connection has died without a word. */
const ANSWER_MS = 60_000;

/** The same of what people ask for, which may ask all nodes one after the other. */
export const LONG_MS = 600_000;

export async function getJson<T>(path: string, signal?: AbortSignal, withinMs = ANSWER_MS): Promise<T> {
  const abort = new AbortController();
  const stop = () => abort.abort(signal?.reason);
  const timer = setTimeout(() => abort.abort(new Error(`no answer within ${withinMs / 1000} s`)), withinMs);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) {
    stop();
  }
  try {
    return await answerOf<T>(await fetch(API + path, { signal: abort.signal, headers: { Accept: 'application/json' } }));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

/** What became of an action, in words for people. */
export interface Done {
  ok: boolean;
  text: string;
}

const ORDER: RequestInit = { method: 'POST', headers: { 'X-XSRF-HEADER': 'console' } };

/** What to say of an order that has not become an answer. */
function failed(e: unknown, unknown: string): Done {
  return { ok: false, text: e instanceof ApiError ? e.message : `The console cannot be reached${unknown}: ${(e as Error).message}` };
}

export async function act(path: string): Promise<Done> {
  try {
    return { ok: true, text: (await order<{ outcome: string }>(path)).outcome };
  } catch (e) {
    return { ok: false, text: (e as Error).message };
  }
}

/** An action whose answer is more than words. What is thrown says so if it may have been carried out all the same. */
export async function order<T>(path: string): Promise<T> {
  try {
    return await answerOf<T>(await fetch(API + path, ORDER));
  } catch (e) {
    throw e instanceof ApiError ? e : new Error(failed(e, '; whether the order was carried out is not known').text);
  }
}

/** An action whose answer is a file to keep. */
export async function actFile(path: string): Promise<Done> {
  try {
    const response = await fetch(API + path, ORDER);
    if (!response.ok) {
      await answerOf(response);
    }
    const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'bundle.zip';
    save(name, await response.blob());
    return { ok: true, text: `${name} was saved.` };
  } catch (e) {
    return failed(e, '');
  }
}

export interface Loaded<T> {
  data: T | null;
  error: Error | null;
}

/** What could not be read is read again after so many milliseconds at the latest, even what is otherwise read once. */
export const RETRY_MS = 5000;

/** What was refused is refused again, unless something has changed meanwhile. */
const REFUSED_MS = 60_000;

/** After how many milliseconds what has failed is read again, 0 if never: nobody may be there to reload the page. */
export function retryMs(error: Error, everyMs: number | 'once' | 'by what was read'): number {
  if (everyMs === 'once') {
    return 0;
  }
  if (typeof everyMs === 'number' && everyMs > 0) {
    return Math.min(everyMs, RETRY_MS);
  }
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 408 && error.status !== 429;
  return everyMs === 0 && refused ? REFUSED_MS : RETRY_MS;
}

/**
 * Reads an address of the interface, again every `everyMs` if above 0, which may go by what was read. What fails is tried again, but for `once`: what
 * costs those who answer too much to be asked again by itself.
 */
export function useJson<T>(path: string | null, everyMs: number | 'once' | ((data: T) => number)): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T> & { path: string | null }>({ data: null, error: null, path: null });
  const every = useRef(everyMs);
  every.current = everyMs;
  const steady = typeof everyMs === 'function' ? 'by what was read' : everyMs;
  useEffect(() => {
    if (path === null) {
      return undefined;
    }
    const abort = new AbortController();
    let timer = 0;
    const again = (ms: number) => {
      if (!abort.signal.aborted && ms > 0) {
        timer = window.setTimeout(read, ms);
      }
    };
    const read = () => {
      getJson<T>(path, abort.signal, every.current === 'once' ? LONG_MS : ANSWER_MS).then(
        (data) => {
          setLoaded({ data, error: null, path });
          again(typeof every.current === 'function' ? every.current(data) : every.current === 'once' ? 0 : every.current);
        },
        (error: Error) => {
          if (!abort.signal.aborted) {
            setLoaded((before) => ({ data: before.path === path ? before.data : null, error, path }));
            again(retryMs(error, steady));
          }
        },
      );
    };
    read();
    return () => {
      abort.abort();
      window.clearTimeout(timer);
    };
  }, [path, steady]);
  return loaded.path === path ? loaded : { data: null, error: null };
}

/**
 * The question to ask of a span that moves: the next one comes once the last was answered, however long that takes. Otherwise each would cut the one
 * before it off, and none would ever be answered.
 *
 * @param of what must not wait: another one of these is asked for at once
 */
export class Steady {
  private of = '';
  private path = '';
  private answered = '';

  ask(path: string, of: string): string {
    if (this.of !== of || this.answered === this.path) {
      this.of = of;
      this.path = path;
    }
    return this.path;
  }

  /** That question has its answer, or its error. */
  heard(path: string) {
    this.answered = path;
  }
}

export const AboutContext = createContext<About | null>(null);
export const useAbout = () => useContext(AboutContext);

export function bounds(range: Range, nowMs: number): [number, number] {
  return range.live ? [nowMs - range.spanMs, nowMs] : [range.from, range.to];
}

/** What happened just now takes so long to be in history. */
const RECORDED_MS = 3000;

/** Whether more of a range is to come: it moves with the present, or ends after it, as that of a link to what began just now. */
export function grows(range: Range, nowMs: number): boolean {
  return range.live || range.to + RECORDED_MS > nowMs;
}

/** A range of at most so long is read once a second, and only what is new of it. */
const SHORT_MS = 900_000;

/** The present by the server's clock, as of the last event, in whole steps. */
export function useNow(range: Range): number {
  const live = useLive();
  const now = live.overview?.timeMs ?? Date.now();
  const [from, to] = bounds(range, now);
  const step = grows(range, now) && to - from > SHORT_MS ? Math.max(5000, Math.round((to - from) / 720_000) * 1000) : 1000;
  return Math.floor(now / step) * step;
}

const LIVE_POINTS = 1000;

/** Series of several keys over a range; one of which more is to come grows as time goes on. */
export function useSeries(keys: string[], range: Range): { series: Map<string, Series>; error: Error | null; ready: boolean } {
  const now = useNow(range);
  const [series, setSeries] = useState<Map<string, Series>>(new Map());
  const [error, setError] = useState<Error | null>(null);
  const name = `${keys.join('\n')}\n${range.live ? range.name : `${range.from}-${range.to}`}`;
  const shown = useRef('');
  /** Of what `series` is. */
  const held = useRef('');
  const busy = useRef(false);
  const [ready, setReady] = useState('');
  const [tries, setTries] = useState(0);
  const read = useCallback(async () => {
    const more = grows(range, now);
    const id = `${name}@${more ? now : 'whole'}`;
    if (busy.current || shown.current === id) {
      return;
    }
    busy.current = true;
    try {
      const [from, to] = bounds(range, now);
      const before = more && held.current === name && to - from <= SHORT_MS ? series : new Map<string, Series>();
      const pairs = await Promise.all(
        keys.map(async (key): Promise<[string, Series]> => {
          const first = continued(before.get(key), from);
          const told = await getJson<Series>(
            `series?key=${encodeURIComponent(key)}&from=${Math.floor(first ?? from)}&to=${Math.floor(to)}&points=${LIVE_POINTS}`,
          );
          const old = before.get(key);
          return [key, old && first !== null ? joined(old, told, from) : told];
        }),
      );
      held.current = name;
      setSeries(new Map(pairs));
      setError(null);
    } catch (e) {
      setError(e as Error);
    } finally {
      shown.current = id;
      setReady(name);
      busy.current = false;
    }
  }, [name, now, range, keys, series, tries]);
  useEffect(() => {
    void read();
  }, [read]);
  useEffect(() => {
    if (error === null) {
      return undefined;
    }
    const timer = window.setTimeout(() => {
      shown.current = '';
      setTries((n) => n + 1);
    }, RETRY_MS);
    return () => window.clearTimeout(timer);
  }, [error]);
  return { series, error, ready: ready === name };
}

/** From when on rows are to be added to a series, or null if it ends before `from`: it is read whole then, at the grain of the whole. */
export function continued(old: Series | undefined, from: number): number | null {
  const last = old?.times.at(-1);
  return last === undefined || last < from ? null : last + 1;
}

/** A series with later rows at its end, and without those before `from`. */
export function joined(old: Series, more: Series, from: number): Series {
  const drop = old.times.findIndex((t) => t >= from);
  const start = drop < 0 ? old.times.length : drop;
  const appended = (before: Figure[][], after: Figure[][]) => more.columns.map((_, c) => [...(before[c] ?? []).slice(start), ...(after[c] ?? [])]);
  return {
    ...more,
    fromMs: from,
    times: [...old.times.slice(start), ...more.times],
    values: appended(old.values, more.values),
    maxima: old.maxima || more.maxima ? appended(old.maxima ?? old.values, more.maxima ?? more.values) : null,
  };
}

/** The clock that times are written by. */
export function useZone(): [string, (zone: string) => void] {
  const [zone, set] = useState(() => {
    choose(window.localStorage.getItem('zone') ?? LOCAL);
    return chosenZone();
  });
  return [
    zone,
    (name) => {
      choose(name);
      window.localStorage.setItem('zone', chosenZone());
      set(chosenZone());
    },
  ];
}

export function useTheme(): [string, (theme: string) => void] {
  const [theme, set] = useState(() => window.localStorage.getItem('theme') ?? 'auto');
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    window.localStorage.setItem('theme', theme);
  }, [theme]);
  return [theme, set];
}
