// SPDX-License-Identifier: Apache-2.0
import { alertHref, muted, severe, subject } from '../lib/alerts';
import type { Alert, AlertGroup, AlertRule, AlertsView, Mute } from '../lib/alertTypes';
import type { Address } from '../lib/address';
import { count, moment, span } from '../lib/format';
import { care, mute, type Order } from './AlertGroupCard';
import { Table } from './Table';

/** Mutes, and what fires below them. */
export function Mutes({ view, groups, address, order }: { view: AlertsView; groups: AlertGroup[]; address: Address; order: Order }) {
  const alerts = groups.flatMap((group) => group.alerts);
  const all = groups.reduce((sum, group) => sum + group.count, 0);
  return (
    <section aria-label="Muted">
      <div className="head">
        <h2>Muted</h2>
        <small className="none">
          {count(view.mutes.length)} {view.mutes.length === 1 ? 'mute' : 'mutes'}, {count(all)} {all === 1 ? 'alert fires' : 'alerts fire'} without anybody being told
        </small>
      </div>
      <Table<Mute>
        label="Mutes"
        rows={view.mutes}
        id={(one) => one.id}
        height={200}
        columns={[
          { name: 'of', label: 'Of', most: 420, cell: muted, sort: muted },
          { name: 'left', label: 'Ends in', number: true, cell: (one) => <span title={moment(one.untilMs)}>{span(Math.max(0, one.untilMs - view.timeMs))}</span>, sort: (one) => one.untilMs },
          { name: 'by', label: 'By', cell: (one) => one.user || 'an administrator', sort: (one) => one.user },
          { name: 'why', label: 'Comment', most: 420, cell: (one) => one.comment },
          ...(order.may
            ? [
                {
                  name: 'do',
                  label: 'Actions',
                  cell: (one: Mute) => (
                    <button type="button" disabled={order.busy} aria-label={`unmute ${muted(one)}`} onClick={() => order.post(`End the mute of ${muted(one)}?`, `alerts/unmute?mute=${encodeURIComponent(one.id)}`)}>
                      unmute
                    </button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {alerts.length > 0 && (
        <Table<Alert>
          label="Muted alerts"
          rows={alerts}
          id={(alert) => alert.fingerprint}
          height={200}
          columns={[
            { name: 'rule', label: 'Rule', cell: (alert) => alert.rule, sort: (alert) => alert.rule },
            { name: 'on', label: 'On', most: 420, cell: (alert) => <a href={alertHref(address, alert, view.timeMs)}>{subject(alert)}</a>, sort: subject },
            { name: 'since', label: 'Since', number: true, cell: (alert) => span(Math.max(0, view.timeMs - alert.sinceMs)), sort: (alert) => view.timeMs - alert.sinceMs },
            { name: 'what', label: 'What', most: 520, cell: (alert) => alert.summary, sort: (alert) => alert.summary },
            { name: 'care', label: 'Taken care of', most: 220, cell: care },
          ]}
        />
      )}
    </section>
  );
}

/** What was resolved within the last day. */
export function Resolved({ view, address }: { view: AlertsView; address: Address }) {
  return (
    <section aria-label="Resolved">
      <div className="head">
        <h2>Resolved</h2>
        <small className="none">within the last day</small>
      </div>
      <Table<Alert>
        label="Resolved alerts"
        rows={view.resolved}
        id={(alert) => `${alert.fingerprint} ${alert.firedMs}`}
        height={270}
        empty="None was resolved within the last day."
        columns={[
          { name: 'rule', label: 'Rule', cell: (alert) => alert.rule, sort: (alert) => alert.rule },
          { name: 'severity', label: 'Severity', cell: (alert) => severe(alert.severity).word, sort: (alert) => alert.severity },
          { name: 'on', label: 'On', most: 420, cell: (alert) => <a href={alertHref(address, alert, view.timeMs)}>{subject(alert)}</a>, sort: subject },
          { name: 'fired', label: 'Fired', cell: (alert) => moment(alert.firedMs), sort: (alert) => alert.firedMs },
          { name: 'resolved', label: 'Resolved', cell: (alert) => moment(alert.resolvedMs), sort: (alert) => alert.resolvedMs },
          { name: 'for', label: 'Lasted', number: true, cell: (alert) => span(Math.max(0, alert.resolvedMs - alert.sinceMs)), sort: (alert) => alert.resolvedMs - alert.sinceMs },
          { name: 'what', label: 'What', most: 420, cell: (alert) => alert.summary, sort: (alert) => alert.summary },
        ]}
      />
    </section>
  );
}

const PREFIX = 'mammoth.console.alert.';

/** All rules that are on. */
export function Rules({ view, order }: { view: AlertsView; order: Order }) {
  const state = (rule: AlertRule, of: string) => view.groups.filter((group) => group.rule === rule.name && group.state === of).reduce((sum, group) => sum + group.count, 0);
  return (
    <section aria-label="Rules">
      <div className="head">
        <h2>Rules</h2>
        <small className="none">
          {count(view.rules.length)} are on; keys begin with <code>{PREFIX}</code>, and one of 0 in <code>mapred-site.xml</code> turns its rule off
        </small>
      </div>
      <Table<AlertRule>
        label="Rules"
        rows={view.rules}
        id={(rule) => rule.name}
        height={310}
        columns={[
          { name: 'name', label: 'Rule', cell: (rule) => rule.name, sort: (rule) => rule.name },
          { name: 'severity', label: 'Severity', cell: (rule) => <span className={`sev ${severe(rule.severity).css}`}>{severe(rule.severity).word}</span>, sort: (rule) => ['CRITICAL', 'WARNING', 'INFO'].indexOf(rule.severity) },
          { name: 'firing', label: 'Firing', number: true, cell: (rule) => count(state(rule, 'FIRING')), sort: (rule) => state(rule, 'FIRING') },
          { name: 'pending', label: 'Pending', number: true, cell: (rule) => count(state(rule, 'PENDING')), sort: (rule) => state(rule, 'PENDING') },
          { name: 'meaning', label: 'Fires when', most: 450, cell: (rule) => rule.meaning },
          { name: 'keys', label: 'Keys', most: 320, cell: (rule) => rule.keys.map((key) => key.replace(PREFIX, '')).join(', ') },
          ...(order.may
            ? [
                {
                  name: 'do',
                  label: 'Actions',
                  cell: (rule: AlertRule) => (
                    <button type="button" disabled={order.busy} aria-label={`mute ${rule.name}`} onClick={() => mute(order, rule.name, '')}>
                      mute
                    </button>
                  ),
                },
              ]
            : []),
        ]}
      />
    </section>
  );
}

/** Who is told, and how that fares. */
export function Deliveries({ view, order }: { view: AlertsView; order: Order }) {
  return (
    <section aria-label="Notifications">
      <div className="head">
        <h2>Notifications</h2>
        {order.may && view.deliveries.length > 0 && (
          <button type="button" disabled={order.busy} onClick={() => order.post('Send a test notification by every channel?', 'alerts/test')}>
            send a test
          </button>
        )}
      </div>
      {view.deliveries.length === 0 ? (
        <p className="none">
          Nobody is told: set <code>mammoth.console.alert.webhook</code> or <code>mammoth.console.alert.mail.host</code> in <code>mapred-site.xml</code>.
        </p>
      ) : (
        <Table
          label="Notifications"
          rows={view.deliveries}
          id={(one) => one.channel}
          columns={[
            { name: 'channel', label: 'Channel', cell: (one) => one.channel },
            { name: 'target', label: 'To', cell: (one) => one.target },
            { name: 'sent', label: 'Delivered', number: true, cell: (one) => count(one.sent) },
            { name: 'failed', label: 'Failed tries', number: true, cell: (one) => count(one.failed) },
            { name: 'last', label: 'Last delivered', cell: (one) => (one.lastMs > 0 ? moment(one.lastMs) : <span title="none since the console started">–</span>) },
            { name: 'error', label: 'Error', most: 420, cell: (one) => one.error },
          ]}
        />
      )}
    </section>
  );
}
