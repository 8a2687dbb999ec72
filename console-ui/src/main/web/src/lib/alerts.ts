// SPDX-License-Identifier: Apache-2.0
import { change, PAGES, type Address, type Page } from './address';
import type { Alert, AlertsView, Mute, Severity } from './alertTypes';
import { count } from './format';

const BEFORE = 300_000;
const AFTER = 900_000;
const SELECTED = ['node', 'disk', 'job'];

/** The page that shows what an alert is about, around the moment it began. */
export function alertHref(address: Address, alert: Alert, nowMs: number): string {
  const page: Page = (PAGES as readonly string[]).includes(alert.page) ? (alert.page as Page) : 'overview';
  const pick: Record<string, string> = {};
  for (const name of SELECTED) {
    if (alert.labels[name]) {
      pick[name] = alert.labels[name];
    }
  }
  const to = Math.max(alert.sinceMs + 60_000, Math.min(nowMs, (alert.firedMs || alert.sinceMs) + AFTER));
  return change(address, { page, range: { live: false, from: alert.sinceMs - BEFORE, to }, pick });
}

/** Whom an alert is about: its labels but those that every alert has. */
export function subject(alert: Alert): string {
  const { alertname: _name, severity: _severity, ...own } = alert.labels;
  if (own.job) {
    return `${own.job}${own.user ? ` of ${own.user}` : ''}`;
  }
  const [first, second] = [own.node ?? own.master, own.dir ?? own.disk];
  return [first, second].filter(Boolean).join(' ') || Object.values(own).join(' ') || 'the cluster';
}

/** The label by which one alert of its rule is muted; of a rule that is about the cluster there is none. */
export function muteLabel(alert: Alert): string {
  const name = ['job', 'node', 'master'].find((label) => alert.labels[label]);
  return name ? `${name}=${alert.labels[name]}` : '';
}

const SEVERITIES: Record<string, { word: string; css: string }> = {
  CRITICAL: { word: 'critical', css: 'bad' },
  WARNING: { word: 'warning', css: 'warn' },
  INFO: { word: 'info', css: 'info' },
};

/** How a severity is said and shown; one of a later release by its own name. */
export const severe = (severity: Severity) => SEVERITIES[severity] ?? { word: severity.toLowerCase(), css: 'info' };

/** What is said where nothing fires. */
export function calm(view: AlertsView): string {
  const wait = view.pending > 0 ? ` ${count(view.pending)} ${view.pending === 1 ? 'condition has' : 'conditions have'} not lasted long enough to fire.` : '';
  return `All is well: none of ${count(view.rules.length)} rules fires.${wait}`;
}

/** What a mute is of. */
export function muted(mute: Mute): string {
  const of = Object.entries(mute.labels).map(([name, value]) => `${name}=${value}`);
  return of.length > 0 ? `${mute.rule} of ${of.join(', ')}` : `all of ${mute.rule}`;
}

/** What the tab's title begins with; empty if nothing critical fires. */
export function titled(critical: number): string {
  return critical > 0 ? `${critical} critical` : '';
}
