// SPDX-License-Identifier: Apache-2.0
/** Buffer kinds as columns of series, in the order they are stacked, with their colours. */
export const KINDS: { column: string; label: string; color: string }[] = [
  { column: 'element', label: 'Element', color: '--k-element' },
  { column: 'sort', label: 'Sort', color: '--k-sort' },
  { column: 'send', label: 'Send', color: '--k-send' },
  { column: 'receive', label: 'Receive', color: '--k-receive' },
  { column: 'io', label: 'I/O', color: '--k-io' },
  { column: 'dataCache', label: 'Data cache', color: '--k-data' },
];

/** Colours for jobs and whatever else is told apart by number only. */
export const COLORS = ['--j-0', '--j-1', '--j-2', '--j-3', '--j-4', '--j-5', '--j-6', '--j-7'];

export const RULES: Record<string, string> = {
  ROOM: 'there was room within the quota',
  GUARANTEED: "a running map's guaranteed minimum",
  BORROWED: "beyond the maps' quota, out of free memory",
  FLOOR: 'a reduce without memory gets one unit',
  AGED: 'passed over too often by requests of its kind',
  STARVING: 'passed over too often by any requests',
  QUOTA: "the reduce's quota is used up",
  RESERVE: 'what is free is kept for sort buffers',
  NO_ROOM: 'no unit is free',
  SHARE: 'the job has its share by weight, and a poorer job was refused a moment ago',
  PRIORITY: 'for a request of a higher kind, or of a poorer job',
  OWN_QUOTA: "a reduce's own memory, for its own request",
  OVER_QUOTA: 'the quota shrank below what was held',
  WATERMARK: 'the pool was nearly full',
  NODE_SHARE: "the engine's part of the node shrank: other users are at work too",
  HANDED_OVER: 'data changed its owner',
  LEVITATED: 'stays at another node until it is merged',
  ENDED: 'the attempt or the job ended',
};
