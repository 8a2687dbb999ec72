// SPDX-License-Identifier: Apache-2.0
/** The answers of /api/v1, as its OpenAPI document describes them. */
import type { Figure } from './format';

export interface NodeRow {
  id: string;
  host: string;
  rack: string;
  yarnState: string;
  version: string;
  reach: string;
  reason: string;
  values: Figure[];
}

export interface JobSample {
  id: string;
  application: string;
  name: string;
  user: string;
  queue: string;
  state: string;
  finalStatus: string;
  progress: number;
  startedMs: number;
  finishedMs: number;
  allocatedMb: number;
  runningContainers: number;
  trackingUrl: string;
  /** Of a job that has ended, if the history server tells. */
  tasks: { maps: number; mapsDone: number; reduces: number; reducesDone: number } | null;
}

/** The most a job held at any time, as far as it was recorded. */
export interface JobPast {
  fromMs: number;
  toMs: number;
  peaks: Figure[];
  /** Why nothing is known; else empty. */
  untold: string;
}

export interface JobRow {
  job: JobSample;
  use: Figure[];
  /** Null while the job runs. */
  past: JobPast | null;
}

export interface Attention {
  /** Names the group in `attention/CAUSE`. */
  cause: string;
  severity: string;
  subject: string;
  page: string;
  text: string;
  /** Of how many nodes or jobs it is said. */
  count: number;
  /** How often, of all of them together: tasks, engines, disks. */
  times: number;
  /** Whether it may be oftener, as a node keeps its last ones only. */
  atLeast: boolean;
}

/** One group, and all nodes or jobs it is about. */
export interface CauseView {
  item: Attention;
  subjects: string[];
}

export interface CacheCounts {
  policy: string;
  knownSets: number;
  cachedSets: number;
  completeSets: number;
  hits: number;
  misses: number;
  rounds: number;
  roundsComplete: number;
}

export interface Overview {
  sequence: number;
  startedMs: number;
  timeMs: number;
  masters: Record<string, string>;
  reach: Record<string, number>;
  totals: Figure[];
  jobs: JobRow[];
  attention: Attention[];
  /** How many lines there are, of which `attention` has the first. */
  attentionGroups: number;
  cache: CacheCounts | null;
  trouble: string;
}

export interface About {
  version: string;
  hadoop: string | null;
  user: string;
  admin: boolean;
  all: boolean;
  /** Why this administrator may not act in this session; empty if nothing is in the way. */
  noActions: string;
  timeMs: number;
  resourceManager: string;
  historyServer: string;
  nodeColumns: string[];
  jobColumns: string[];
  diskColumns: string[];
  historyBytes: number;
}

export interface Series {
  key: string;
  fromMs: number;
  toMs: number;
  grainMs: number;
  columns: string[];
  times: number[];
  values: Figure[][];
  /** The largest values where a time is more than a second. */
  maxima: Figure[][] | null;
}

export interface Decision {
  engine: string;
  sequence: number;
  timeMs: number;
  action: string;
  attempt: string;
  job: string;
  user: string;
  kind: string;
  bytes: number;
  rule: string;
  victimJob: string;
  victim: string;
  waitedMs: number;
}

export interface Lane {
  ioClass: string;
  direction: string;
  files: number;
  depth: number;
  heldBytes: number;
  oldestAgeMs: number;
  totalBytes: number;
  bytesPerSecond: number;
  errors: number;
}

export interface Disk {
  name: string;
  inFlight: number;
  longestInFlightMs: number;
  dirs: { path: string; state: string; reason: string; retryInMs: number }[];
  lanes: Lane[];
}

export interface QueuesView {
  queues: Queue[];
  /** Nodes that should tell of queues and do not. */
  silent: { node: string; reason: string }[];
}

export interface Queue {
  node: string;
  engine: string;
  disk: Disk;
}

export interface Engine {
  id: string;
  user: string;
  pid: number;
  role: string;
  open: boolean;
  ageMs: number;
  problem: string;
  draining: string;
  startedMs: number;
  counts: { running: number; started: number; finished: number; killed: number; failed: number; aborted: number; lingering: number };
  jvm: {
    heapUsed: number;
    heapCommitted: number;
    heapMax: number;
    direct: number;
    rss: number;
    metaspace: number;
    gcCount: number;
    gcMs: number;
    threads: number;
    classes: number;
  };
  memory: {
    cap: number;
    used: number;
    unit: number;
    poolBytes: number;
    poolLimit: number;
    poolUsed: number;
    byKind: Record<string, number>;
    sortBuffer: number;
    mapQuota: number;
    borrowed: number;
    reduceQuota: number;
    runningMaps: number;
    pressure: boolean;
    leases: { user: string; job: string; attempt: string; attempts: number; kind: string; bytes: number }[];
    reduces: { attempt: string; used: number; quota: number; desired: number }[];
    waiters: { attempt: string; kind: string; waitedMs: number; passedBy: number }[];
  };
  disks: Disk[];
  tasks: { attempt: string; job: string; user: string; type: string; phase: string; container: string; memoryMb: number; sinceMs: number; programs: number; programBytes: number }[];
}

export interface CacheSample {
  timeMs: number;
  inputBytes: number;
  poolBytes: number;
  localizedBytes: number;
  lentBytes: number;
  inputUsed: number;
  localizedUsed: number;
  refused: number;
  hits: number;
  misses: number;
  hitBytes: number;
  missBytes: number;
  copies: number;
  fillsWaiting: number;
  evictions: Record<string, number>;
}

export interface NodeView {
  node: {
    id: string;
    host: string;
    rack: string;
    nodeManager: string | null;
    dataNode: string | null;
    yarnState: string;
    version: string;
    reach: string;
    reason: string;
    triedMs: number;
    sample: {
      enabled: boolean;
      shareMb: number;
      admittedMb: number;
      fallbacks: number;
      fallbackReasons: Record<string, number>;
      lastFallbacks: { atMs: number; container: string; task: string; reason: string }[];
      engines: Engine[];
    } | null;
    cache: CacheSample | null;
    /** Why `cache` is not known; empty if it is. */
    cacheUntold: string;
  };
  row: NodeRow;
  series: string[];
}

export interface CacheView {
  timeMs: number;
  master:
    | (CacheCounts & {
        refusals: Record<string, number>;
      })
    | null;
  slaves: Slave[];
}

export interface Slave {
  node: string;
  cache: CacheSample | null;
  /** Why `cache` is not known; else empty. */
  untold: string;
}

export interface JobView {
  timeMs: number;
  job: JobSample;
  nodes: { node: string; use: Figure[] }[];
  tasks: Task[];
  tasksFrom: string;
  counters: { group: string; name: string; map: number; reduce: number; total: number }[];
  /** Null if the job does not tell. */
  reduceInput: ReduceInput | null;
  past: JobPast;
}

export interface ReduceInput {
  memoryBytes: number;
  diskBytes: number;
  networkBytes: number;
}

export interface Task {
  id: string;
  type: string;
  state: string;
  startedMs: number;
  finishedMs: number;
  attempt: string;
  node: string;
  where: string;
  reason: string;
  /** How a reduce gets hold of other nodes' output; empty if that is not known. */
  merge: string;
}

export interface DataSet {
  path: string;
  blocks: number;
  bytes: number;
  cachedBlocks: number;
  copyBytes: number;
  accesses: number;
  hits: number;
  priority: number;
  pinned: boolean;
  admission: string;
  evictedFor: string;
  displacedBy: string;
}

export interface WhatIfView {
  rounds: number;
  blockReads: number;
  slaves: number;
  runs: { policy: string; cacheGiB: number; hitRate: number; blockHitRate: number; completeRate: number }[];
}

export interface Run {
  id: string;
  state: string;
  startedMs: number;
  finishedMs: number;
  counters: Record<string, number>;
  reduceInput: ReduceInput | null;
}
