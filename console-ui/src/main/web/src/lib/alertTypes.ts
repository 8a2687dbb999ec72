// SPDX-License-Identifier: Apache-2.0
/** Alerts and events as the interface has them. Times are milliseconds since 1970. */

/** CRITICAL, WARNING or INFO; a later release may have others. */
export type Severity = string;

export interface Acknowledgement {
  user: string;
  atMs: number;
  comment: string;
}

export interface Alert {
  fingerprint: string;
  rule: string;
  severity: Severity;
  labels: Record<string, string>;
  summary: string;
  description: string;
  remedy: string;
  page: string;
  state: 'PENDING' | 'FIRING' | 'RESOLVED';
  sinceMs: number;
  firedMs: number;
  resolvedMs: number;
  acknowledged: Acknowledgement | null;
}

export interface AlertGroup {
  rule: string;
  severity: Severity;
  page: string;
  state: 'PENDING' | 'FIRING';
  muted: boolean;
  count: number;
  acknowledged: number;
  sinceMs: number;
  alerts: Alert[];
}

export interface Mute {
  id: string;
  rule: string;
  labels: Record<string, string>;
  atMs: number;
  untilMs: number;
  user: string;
  comment: string;
}

export interface AlertRule {
  name: string;
  severity: Severity;
  page: string;
  forMs: number;
  meaning: string;
  remedy: string;
  keys: string[];
}

export interface Delivery {
  channel: string;
  target: string;
  sent: number;
  failed: number;
  lastMs: number;
  failingMs: number;
  error: string;
}

export interface AlertsView {
  timeMs: number;
  firing: number;
  critical: number;
  pending: number;
  groups: AlertGroup[];
  resolved: Alert[];
  mutes: Mute[];
  rules: AlertRule[];
  deliveries: Delivery[];
  trouble: string;
}

export const KINDS = [
  'ALERT_FIRED',
  'ALERT_RESOLVED',
  'ALERT_ACKNOWLEDGED',
  'ALERT_MUTED',
  'ALERT_UNMUTED',
  'JOB_STARTED',
  'JOB_ENDED',
  'ENGINE_STARTED',
  'ENGINE_ENDED',
  'NODE_JOINED',
  'NODE_GONE',
  'NODE_BACK',
  'ACTION',
  'CONSOLE_STARTED',
] as const;
export type Kind = (typeof KINDS)[number];

export interface Event {
  timeMs: number;
  /** A Kind, or one of a later release. */
  kind: string;
  /** Of an alert, or of what was bad: critical, warning, info; else empty. */
  severity: string;
  node: string;
  job: string;
  user: string;
  subject: string;
  text: string;
}

export interface EventsView {
  timeMs: number;
  fromMs: number;
  toMs: number;
  more: boolean;
  events: Event[];
}
