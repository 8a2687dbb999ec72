// SPDX-License-Identifier: Apache-2.0
import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
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

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await fetch(API + path, { ...(signal ? { signal } : {}), headers: { Accept: 'application/json' } });
  const body: unknown = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw new ApiError(response.status, (body as { error?: string }).error ?? `status ${response.status}`);
  }
  return body as T;
}

/** What became of an action, in words for people. */
export interface Done {
  ok: boolean;
  text: string;
}

const ORDER: RequestInit = { method: 'POST', headers: { 'X-XSRF-HEADER': 'console' } };

async function refusal(response: Response): Promise<Done> {
  const body = (await response.json().catch(() => ({}))) as { error?: string };
  return { ok: false, text: body.error ?? `The console answers with status ${response.status}.` };
}

export async function act(path: string): Promise<Done> {
  try {
    const response = await fetch(API + path, ORDER);
    if (!response.ok) {
      return await refusal(response);
    }
    return { ok: true, text: ((await response.json()) as { outcome: string }).outcome };
  } catch (e) {
    return { ok: false, text: `The console cannot be reached; whether the order was carried out is not known: ${(e as Error).message}` };
  }
}

/** An action whose answer is more than words. */
export async function order<T>(path: string): Promise<T> {
  const response = await fetch(API + path, ORDER);
  if (!response.ok) {
    throw new ApiError(response.status, (await refusal(response)).text);
  }
  return (await response.json()) as T;
}

/** An action whose answer is a file to keep. */
export async function actFile(path: string): Promise<Done> {
  try {
    const response = await fetch(API + path, ORDER);
    if (!response.ok) {
      return await refusal(response);
    }
    const name = /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1] ?? 'bundle.zip';
    save(name, await response.blob());
    return { ok: true, text: `${name} was saved.` };
  } catch (e) {
    return { ok: false, text: `The console cannot be reached: ${(e as Error).message}` };
  }
}

export interface Loaded<T> {
  data: T | null;
  error: ApiError | Error | null;
}

/** Reads an address of the interface, again every `everyMs` if above 0. */
export function useJson<T>(path: string | null, everyMs: number): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T> & { path: string | null }>({ data: null, error: null, path: null });
  useEffect(() => {
    if (path === null) {
      return undefined;
    }
    const abort = new AbortController();
    let timer = 0;
    const read = () => {
      getJson<T>(path, abort.signal)
        .then((data) => setLoaded({ data, error: null, path }))
        .catch((error: Error) => {
          if (!abort.signal.aborted) {
            setLoaded((before) => ({ data: before.path === path ? before.data : null, error, path }));
          }
        })
        .finally(() => {
          if (!abort.signal.aborted && everyMs > 0) {
            timer = window.setTimeout(read, everyMs);
          }
        });
    };
    read();
    return () => {
      abort.abort();
      window.clearTimeout(timer);
    };
  }, [path, everyMs]);
  return loaded.path === path ? loaded : { data: null, error: null };
}

export const AboutContext = createContext<About | null>(null);
export const useAbout = () => useContext(AboutContext);

export function bounds(range: Range, nowMs: number): [number, number] {
  return range.live ? [nowMs - range.spanMs, nowMs] : [range.from, range.to];
}

/** The present by the server's clock, as of the last event, in whole steps. */
export function useNow(range: Range): number {
  const live = useLive();
  const now = live.overview?.timeMs ?? Date.now();
  const step = range.live && range.spanMs > 900_000 ? Math.max(5000, Math.round(range.spanMs / 720_000) * 1000) : 1000;
  return Math.floor(now / step) * step;
}

const LIVE_POINTS = 1000;

/** Series of several keys over a range; a live one grows as time goes on. */
export function useSeries(keys: string[], range: Range): { series: Map<string, Series>; error: Error | null; ready: boolean } {
  const now = useNow(range);
  const [series, setSeries] = useState<Map<string, Series>>(new Map());
  const [error, setError] = useState<Error | null>(null);
  const name = `${keys.join('\n')}\n${range.live ? range.name : `${range.from}-${range.to}`}`;
  const shown = useRef('');
  const busy = useRef('');
  const [ready, setReady] = useState('');
  const read = useCallback(async () => {
    const id = `${name}@${range.live ? now : 0}`;
    if (busy.current !== '' || shown.current === id) {
      return;
    }
    busy.current = id;
    try {
      const [from, to] = bounds(range, now);
      const same = shown.current.startsWith(`${name}@`);
      const grow = same && range.live && range.spanMs <= 900_000;
      const pairs = await Promise.all(
        keys.map(async (key): Promise<[string, Series]> => {
          const old = grow ? series.get(key) : undefined;
          const since = old?.times.at(-1);
          const first = since === undefined ? from : since + 1;
          const more = await getJson<Series>(
            `series?key=${encodeURIComponent(key)}&from=${Math.floor(first)}&to=${Math.floor(to)}&points=${LIVE_POINTS}`,
          );
          return [key, old && since !== undefined ? joined(old, more, from) : more];
        }),
      );
      setSeries(new Map(pairs));
      setError(null);
      shown.current = id;
      setReady(name);
    } catch (e) {
      setError(e as Error);
      shown.current = id;
      setReady(name);
    } finally {
      busy.current = '';
    }
  }, [name, now, range, keys, series]);
  useEffect(() => {
    void read();
  }, [read]);
  return { series, error, ready: ready === name };
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
