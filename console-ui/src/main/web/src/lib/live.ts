// SPDX-License-Identifier: Apache-2.0
import { clock, count, span, type Figure } from './format';
import type { NodeRow, Overview } from './types';

/** The cluster now, as the stream tells it. */
export interface Live {
  /** Whether seconds come by the stream, are asked for every few seconds as the console has no stream left, or do not come. */
  state: 'connecting' | 'open' | 'polling' | 'lost';
  overview: Overview | null;
  columns: Map<string, number>;
  nodes: Map<string, NodeRow>;
  /** When the last second that was not there before came, by this browser's clock. */
  heardMs: number;
  /** When another process of the console began to answer, by its clock; 0 as long as it is the one this page began with. */
  restartedMs: number;
}

export interface Snapshot {
  overview: Overview;
  columns: string[];
  nodes: NodeRow[];
}

export interface Change {
  overview: Overview;
  nodes: NodeRow[];
  gone: string[];
}

export const NOTHING: Live = {
  state: 'connecting',
  overview: null,
  columns: new Map(),
  nodes: new Map(),
  heardMs: 0,
  restartedMs: 0,
};

export function withSnapshot(live: Live, snapshot: Snapshot, nowMs: number): Live {
  const { sequence, startedMs } = snapshot.overview;
  const before = live.overview;
  const other = before !== null && before.startedMs !== startedMs;
  return {
    restartedMs: other ? startedMs : live.restartedMs,
    state: 'open',
    overview: snapshot.overview,
    columns: new Map(snapshot.columns.map((name, i) => [name, i])),
    nodes: new Map(snapshot.nodes.map((node) => [node.id, node])),
    // The same second once more is nothing new: a console that hangs goes on saying it.
    heardMs: before !== null && !other && before.sequence === sequence ? live.heardMs : nowMs,
  };
}

export function withChange(live: Live, change: Change, nowMs: number): Live {
  const nodes = new Map(live.nodes);
  change.nodes.forEach((node) => nodes.set(node.id, node));
  change.gone.forEach((id) => nodes.delete(id));
  return { ...live, state: 'open', overview: change.overview, nodes, heardMs: nowMs };
}

/** Seconds come once a second, or once in POLL_MS; with this much more they are late. */
const LATE_MS = 4000;

/** How old what the page shows is, in words for the menu and, if that matters, for the tab's title; and why, for the page. */
export function standing(live: Live, nowMs: number): { text: string; title: string; late: boolean; why: string } {
  if (!live.overview) {
    return { text: live.state === 'lost' ? 'No answer from the console yet; trying again' : 'connecting', title: live.state === 'lost' ? 'no answer' : '', late: live.state === 'lost', why: '' };
  }
  const age = Math.max(0, nowMs - live.heardMs);
  const at = clock(live.overview.timeMs);
  if (age > LATE_MS + (live.state === 'polling' ? POLL_MS : 0)) {
    return { text: `${span(age)} old`, title: `${span(age)} old`, late: true, why: `The console tells nothing since ${at}: it hangs, is gone, or cannot be reached. What is shown is of then; the page goes on trying.` };
  }
  const restarted = live.restartedMs > 0 ? 'restarted' : '';
  return live.state === 'polling'
    ? { text: `every ${POLL_MS / 1000} s ${at}`, title: restarted, late: false, why: 'The console has no live stream left for this page, which asks every few seconds instead.' }
    : { text: `live ${at}`, title: restarted, late: false, why: '' };
}

/** A column of a row, null where nobody tells it. */
export function value(live: Live, values: Figure[] | undefined, column: string): Figure {
  const place = live.columns.get(column);
  return place === undefined ? null : (values?.[place] ?? null);
}

/** Who tells a column: a node's SSD cache, or its engines. */
export type Teller = 'engines' | 'cache';

const WHY: Record<string, string> = {
  NEW: 'not read yet',
  SLOW: 'slow to answer',
  GONE: 'unreachable',
  REFUSED: 'refusing the console',
  FOREIGN: 'of another version',
};

/** Of which nodes that should tell sums are without, in words; empty if they have all. */
export function lacking(live: Live, teller: Teller): string {
  const reasons = new Map<string, number>();
  for (const row of live.nodes.values()) {
    if ((value(live, row.values, `${teller}Untold`) ?? 0) > 0) {
      const why = WHY[row.reach] ?? (teller === 'cache' ? 'of which no DataNode tells' : 'whose engine does not tell yet');
      reasons.set(why, (reasons.get(why) ?? 0) + 1);
    }
  }
  const lack = [...reasons.values()].reduce((a, b) => a + b, 0);
  return lack === 0 ? '' : `${count(lack)} of ${count(live.nodes.size)} nodes: ${[...reasons].map(([why, n]) => `${count(n)} ${why}`).join(', ')}`;
}

/** The cluster's total of a column, and why it is not known or not of all nodes; empty if it is. */
export function total(live: Live, column: string): { figure: Figure; why: string } {
  const teller = column.startsWith('cache') ? 'cache' : 'engines';
  const figure = value(live, live.overview?.totals, column);
  const lack = lacking(live, teller);
  if (!live.overview) {
    return { figure: null, why: 'nothing has been heard from the console yet' };
  }
  const nobody = teller === 'cache' ? 'no node has an SSD cache that is known' : 'no node has engines that are known';
  return { figure, why: lack ? `${figure === null ? 'not known of' : 'without'} ${lack}` : figure === null ? nobody : '' };
}

type Listener = () => void;

/** How often the cluster is asked for while the console has no stream for this page, and how often a stream is tried again. */
export const POLL_MS = 5000;
const RETRY_MS = 30_000;

/** A stream that says nothing for so long is opened anew: a connection that has died without a word seems open for hours. */
const SILENT_MS = 15_000;

/** What comes first is all nodes at once, which over a slow line takes long; twice as long after each stream that has told nothing. */
const FIRST_MS = 60_000;
const MOST_FIRST_MS = 960_000;

/** One stream for the page; whoever is interested listens. Where it is refused, the page asks. */
export class LiveStore {
  private live = NOTHING;
  private listeners = new Set<Listener>();
  private source: EventSource | null = null;
  private poll = 0;
  private silence = 0;
  private firstMs = FIRST_MS;

  constructor(
    private readonly url: string,
    private readonly ask: (path: string) => Promise<unknown>,
  ) {}

  get = (): Live => this.live;

  subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    if (this.source === null) {
      this.open();
    }
    return () => this.listeners.delete(listener);
  };

  /** The restart has been read. */
  seen = () => this.set({ ...this.live, restartedMs: 0 });

  private set(live: Live) {
    this.live = live;
    this.listeners.forEach((listener) => listener());
  }

  private open() {
    const source = new EventSource(this.url);
    this.source = source;
    this.await(source, this.firstMs);
    source.addEventListener('snapshot', (event) => {
      this.heard(source);
      this.set(withSnapshot(this.live, JSON.parse((event as MessageEvent<string>).data) as Snapshot, Date.now()));
    });
    source.addEventListener('change', (event) => {
      this.heard(source);
      this.set(withChange(this.live, JSON.parse((event as MessageEvent<string>).data) as Change, Date.now()));
    });
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) {
        // The server refused; a browser does not try again by itself then.
        window.clearTimeout(this.silence);
        window.setTimeout(() => this.open(), RETRY_MS);
        if (this.poll === 0) {
          void this.polled();
        }
      } else {
        this.set({ ...this.live, state: 'lost' });
      }
    });
  }

  /** The stream has told something: nobody need ask meanwhile. */
  private heard(source: EventSource) {
    window.clearTimeout(this.poll);
    this.poll = 0;
    this.firstMs = FIRST_MS;
    this.await(source, SILENT_MS);
  }

  private await(source: EventSource, ms: number) {
    window.clearTimeout(this.silence);
    this.silence = window.setTimeout(() => {
      source.close();
      this.firstMs = Math.min(MOST_FIRST_MS, this.firstMs * 2);
      this.set({ ...this.live, state: 'lost' });
      if (this.poll === 0) {
        void this.polled();
      }
      this.open();
    }, ms);
  }

  private async polled() {
    this.poll = window.setTimeout(() => void this.polled(), POLL_MS);
    try {
      const [overview, nodes] = await Promise.all([this.ask('overview'), this.ask('nodes')]);
      if (this.poll !== 0) {
        const { columns, nodes: rows } = nodes as { columns: string[]; nodes: NodeRow[] };
        this.set({ ...withSnapshot(this.live, { overview: overview as Overview, columns, nodes: rows }, Date.now()), state: 'polling' });
      }
    } catch {
      this.set({ ...this.live, state: 'lost' });
    }
  }
}
