// SPDX-License-Identifier: Apache-2.0
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { parse } from '../src/lib/address';
import { alertHref, calm, muted, muteLabel, subject, titled } from '../src/lib/alerts';
import type { Alert, AlertGroup, AlertsView, Mute } from '../src/lib/alertTypes';
import { AlertGroupCard, type Order } from '../src/ui/AlertGroupCard';

const NOW = 1_700_000_000_000;
const alert = (labels: Record<string, string>, more: Partial<Alert> = {}): Alert => ({
  fingerprint: 'f',
  rule: 'DiskOut',
  severity: 'CRITICAL',
  labels: { alertname: 'DiskOut', severity: 'critical', ...labels },
  summary: 'left out',
  description: 'Input/output error.',
  remedy: 'Replace the disk.',
  page: 'queues',
  state: 'FIRING',
  sinceMs: NOW - 7_200_000,
  firedMs: NOW - 7_140_000,
  resolvedMs: 0,
  acknowledged: null,
  ...more,
});
const order = (may: boolean): Order => ({ may, minutes: '60', comment: '', length: '1 h', busy: false, done: null, post: () => undefined, fetch: () => undefined });
const group = (alerts: Alert[], more: Partial<AlertGroup> = {}): AlertGroup => ({ rule: 'DiskOut', severity: 'CRITICAL', page: 'queues', state: 'FIRING', muted: false, count: alerts.length, acknowledged: 0, sinceMs: NOW - 7_200_000, alerts, ...more });
const card = (of: AlertGroup, may: boolean) => renderToStaticMarkup(<AlertGroupCard group={of} address={parse('#/alerts')} nowMs={NOW} order={order(may)} />);

describe('an alert', () => {
  it('leads to its page around the moment it began', () => {
    const href = alertHref(parse('#/alerts'), alert({ node: 'n:1', disk: 'sda' }), NOW);
    expect(href).toBe(`#/queues?from=${NOW - 7_500_000}&to=${NOW - 7_140_000 + 900_000}&node=n%3A1&disk=sda`);
    expect(parse(href).problems).toEqual([]);
    // One that just began: there is nothing after the present to show.
    expect(alertHref(parse('#/alerts'), alert({}, { sinceMs: NOW - 100_000, firedMs: NOW }), NOW)).toContain(`to=${NOW}`);
    expect(alertHref(parse('#/alerts'), alert({}, { page: 'of a later release' }), NOW)).toMatch(/^#\/overview/);
  });
  it('says whom it is about by its own labels', () => {
    expect(subject(alert({ node: 'n:1', disk: 'sda', dir: '/data/0' }))).toBe('n:1 /data/0');
    expect(subject(alert({ job: 'job_1', user: 'ada', queue: 'q' }))).toBe('job_1 of ada');
    expect(subject(alert({ master: 'http://rm' }))).toBe('http://rm');
    expect(subject(alert({}))).toBe('the cluster');
    expect(muteLabel(alert({ node: 'n:1', disk: 'sda' }))).toBe('node=n:1');
    expect(muteLabel(alert({}))).toBe('');
  });
});

describe('a card', () => {
  it('says what to do, for how long it fires, and who takes care', () => {
    const open = card(group([alert({ node: 'n:1' })]), false);
    expect(open).toMatch(/Replace the disk\./);
    expect(open).toMatch(/1 alert, the first for 2 h 0 min/);
    expect(open).not.toMatch(/<button[^>]*>(acknowledge|mute)/);
    expect(open).not.toContain('Taken care of');
    const taken = card(group([alert({ node: 'n:1' }, { acknowledged: { user: 'ada', atMs: NOW, comment: 'new disk' } })], { acknowledged: 1 }), true);
    expect(taken).toContain('ada: new disk');
    expect(taken).toContain('all acknowledged');
    expect(taken).not.toMatch(/aria-label="acknowledge/);
    expect(taken).toMatch(/aria-label="mute n:1"/);
  });
  it('says that it lists only the first of many', () => {
    expect(card(group([alert({ node: 'n:1' })], { count: 410 }), true)).toContain('the first 1 are listed');
  });
});

it('the calm line names what is about to fire', () => {
  const view = { rules: Array(10), pending: 0 } as unknown as AlertsView;
  expect(calm(view)).toBe('All is well: none of 10 rules fires.');
  expect(calm({ ...view, pending: 1 })).toMatch(/1 condition has not lasted long enough/);
});

it('the title names what is critical, and a mute what it is of', () => {
  expect([titled(0), titled(2)]).toEqual(['', '2 critical']);
  const mute = { rule: 'DiskOut', labels: {} } as Mute;
  expect(muted(mute)).toBe('all of DiskOut');
  expect(muted({ ...mute, labels: { node: 'n:1' } })).toBe('DiskOut of node=n:1');
});
