import type { NodeRow, Overview } from './types';

/** The cluster now, as the stream tells it. */
export interface Live {
  state: 'connecting' | 'open' | 'lost';
  overview: Overview | null;
  columns: Map<string, number>;
  nodes: Map<string, NodeRow>;
  /** When the last event came, by this browser's clock. */
  heardMs: number;
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
};

export function withSnapshot(snapshot: Snapshot, nowMs: number): Live {
  return {
    state: 'open',
    overview: snapshot.overview,
    columns: new Map(snapshot.columns.map((name, i) => [name, i])),
    nodes: new Map(snapshot.nodes.map((node) => [node.id, node])),
    heardMs: nowMs,
  };
}

export function withChange(live: Live, change: Change, nowMs: number): Live {
  const nodes = new Map(live.nodes);
  change.nodes.forEach((node) => nodes.set(node.id, node));
  change.gone.forEach((id) => nodes.delete(id));
  return { ...live, state: 'open', overview: change.overview, nodes, heardMs: nowMs };
}

/** A column of a row, 0 where the server does not have it. */
export function value(live: Live, values: number[] | undefined, column: string): number {
  const place = live.columns.get(column);
  return place === undefined ? 0 : (values?.[place] ?? 0);
}

type Listener = () => void;

/** One stream for the page; whoever is interested listens. */
export class LiveStore {
  private live = NOTHING;
  private listeners = new Set<Listener>();
  private source: EventSource | null = null;

  constructor(private readonly url: string) {}

  get = (): Live => this.live;

  subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    if (this.source === null) {
      this.open();
    }
    return () => this.listeners.delete(listener);
  };

  private set(live: Live) {
    this.live = live;
    this.listeners.forEach((listener) => listener());
  }

  private open() {
    const source = new EventSource(this.url);
    this.source = source;
    source.addEventListener('snapshot', (event) => {
      this.set(withSnapshot(JSON.parse((event as MessageEvent<string>).data) as Snapshot, Date.now()));
    });
    source.addEventListener('change', (event) => {
      this.set(withChange(this.live, JSON.parse((event as MessageEvent<string>).data) as Change, Date.now()));
    });
    source.addEventListener('error', () => {
      this.set({ ...this.live, state: 'lost' });
      if (source.readyState === EventSource.CLOSED) {
        // The server refused; a browser does not try again by itself then.
        window.setTimeout(() => this.open(), 5000);
      }
    });
  }
}
