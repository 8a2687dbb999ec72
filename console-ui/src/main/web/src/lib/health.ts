// SPDX-License-Identifier: Apache-2.0
/** What hosts, YARN's queues and HDFS have and use. */
import { bytes, count, minus, percent, rate, UNKNOWN, type Figure } from './format';
import { value, type Live } from './live';
import type { NodeRow } from './types';

export interface YarnQueue {
  path: string;
  leaf: boolean;
  state: string;
  guaranteedPercent: Figure;
  usedPercent: Figure;
  maximumPercent: Figure;
  usedMemory: Figure;
  usedVcores: Figure;
  runningApplications: Figure;
  waitingApplications: Figure;
  containers: Figure;
  waitingContainers: Figure;
}

export interface HdfsHealth {
  nameNode: string;
  safeMode: string;
  capacity: Figure;
  remaining: Figure;
  files: Figure;
  blocks: Figure;
  missingBlocks: Figure;
  corruptBlocks: Figure;
  lowRedundancyBlocks: Figure;
  liveDataNodes: Figure;
  staleDataNodes: Figure;
  deadDataNodes: Figure;
}

export interface HealthView {
  timeMs: number;
  /** Null if the ResourceManager does not tell. */
  queues: YarnQueue[] | null;
  queuesUntold: string;
  hdfs: HdfsHealth[];
}

/** One way to colour the map of nodes. */
export interface Metric {
  name: string;
  label: string;
  /** From 0 to 1 and beyond; null where it is not known. */
  share: (v: (column: string) => Figure) => Figure;
  text: (v: (column: string) => Figure) => string;
  /** From which share on it is marked as trouble. */
  trouble: number;
  help: string;
}

export const ratio = (part: Figure, whole: Figure): Figure => (part === null || whole === null || whole <= 0 ? null : part / whole);

/** Busy cores: the interface counts thousandths of a core. */
export const cores = (thousandths: Figure): string => (thousandths === null ? UNKNOWN : (thousandths / 1000).toFixed(1));

/** A gigabit per second is the network that small clusters have. */
const GIGABIT = 125_000_000;

export const METRICS: Metric[] = [
  {
    name: '',
    label: 'leased memory',
    share: (v) => ((v('pressure') ?? 0) > 0 ? 1 : ratio(v('used'), v('cap'))),
    text: (v) => `${bytes(v('used'))} leased, ${percent(v('used'), v('cap'))}${(v('pressure') ?? 0) > 0 ? ', under pressure' : ''}`,
    trouble: 1,
    help: 'share of what is configured that is leased; red is pressure',
  },
  {
    name: 'cpu',
    label: 'CPU of the host',
    share: (v) => ratio(v('hostCpu'), v('hostCores') === null ? null : 1000 * (v('hostCores') ?? 0)),
    text: (v) => `${cores(v('hostCpu'))} of ${count(v('hostCores'))} cores busy`,
    trouble: 0.98,
    help: 'share of the cores that are busy; red is all of them',
  },
  {
    name: 'memory',
    label: 'memory of the host',
    share: (v) => ratio(minus(v('hostMemory'), v('hostMemoryAvailable')), v('hostMemory')),
    text: (v) => `${bytes(v('hostMemoryAvailable'))} available of ${bytes(v('hostMemory'))}`,
    trouble: 0.95,
    help: 'share that no program can get any more; red is above 95 %',
  },
  {
    name: 'network',
    label: 'network',
    share: (v) => {
      const [a, b] = [v('networkIn'), v('networkOut')];
      return a === null || b === null ? null : Math.max(a, b) / GIGABIT;
    },
    text: (v) => `${rate(v('networkIn'))} in, ${rate(v('networkOut'))} out`,
    trouble: Infinity,
    help: 'the busier direction; the darkest is 1 Gbit/s and more',
  },
  {
    name: 'disk',
    label: 'disks busy',
    share: (v) => ratio(v('hostDiskBusy'), v('hostDisks') === null ? null : 1000 * (v('hostDisks') ?? 0)),
    text: (v) => `${percent(v('hostDiskBusy'), 1000 * (v('hostDisks') ?? 0))} of the time of ${count(v('hostDisks'))} disks, ${rate(v('hostDiskRead'))} read, ${rate(v('hostDiskWritten'))} written`,
    trouble: 0.95,
    help: 'share of the time that disks have something to do; red is above 95 %',
  },
  {
    name: 'local',
    label: 'local folders',
    share: (v) => ((v('localDirsBad') ?? 0) > 0 ? 1 : ratio(v('localDirsUsed'), 100)),
    text: (v) => `${v('localDirsUsed') === null ? UNKNOWN : `${v('localDirsUsed')} %`} full${(v('localDirsBad') ?? 0) > 0 ? `, ${v('localDirsBad')} out of use` : ''}`,
    trouble: 0.9,
    help: 'how full yarn.nodemanager.local-dirs are; red is above 90 % or a folder out of use',
  },
  {
    name: 'hdfs',
    label: 'HDFS space',
    share: (v) => ((v('dfsVolumesFailed') ?? 0) > 0 ? 1 : ratio(minus(v('dfsCapacity'), v('dfsRemaining')), v('dfsCapacity'))),
    text: (v) => `${bytes(v('dfsRemaining'))} left of ${bytes(v('dfsCapacity'))}${(v('dfsVolumesFailed') ?? 0) > 0 ? `, ${v('dfsVolumesFailed')} volumes failed` : ''}`,
    trouble: 0.9,
    help: 'share of the DataNode’s space that is used; red is above 90 % or a failed volume',
  },
];

/** How a node is coloured: hx cannot be read, hs does not tell, h0 to h4 by fifths, h5 trouble. */
export function level(live: Live, row: NodeRow, metric: Metric): string {
  const v = (column: string) => value(live, row.values, column);
  if (['GONE', 'SLOW', 'REFUSED', 'FOREIGN'].includes(row.reach)) {
    return 'hx';
  }
  const share = metric.share(v);
  if (share === null) {
    return 'hs';
  }
  return share >= metric.trouble ? 'h5' : `h${Math.max(0, Math.min(4, Math.floor(share * 5)))}`;
}

/** Of how many nodes that are shown a column is not known; empty if of none. */
export function without(live: Live, rows: NodeRow[], column: string): string {
  const silent = rows.filter((row) => value(live, row.values, column) === null).length;
  return silent === 0 ? '' : silent === rows.length ? 'no node tells it' : `without ${count(silent)} of ${count(rows.length)} nodes, which do not tell it`;
}

/** Racks in order, each with its nodes; one without a name if there is only one. */
export function racks(rows: NodeRow[]): [string, NodeRow[]][] {
  const found = new Map<string, NodeRow[]>();
  for (const row of rows) {
    found.set(row.rack, [...(found.get(row.rack) ?? []), row]);
  }
  const sorted = [...found].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  return sorted.length < 2 ? [['', rows]] : sorted;
}
