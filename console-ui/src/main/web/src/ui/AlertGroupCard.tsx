// SPDX-License-Identifier: Apache-2.0
import { alertHref, muteLabel, severe, subject } from '../lib/alerts';
import type { Alert, AlertGroup } from '../lib/alertTypes';
import type { Address } from '../lib/address';
import { count, moment, span } from '../lib/format';
import type { useActions } from './Actions';
import { Table } from './Table';

/** What an administrator may do, and how: with which comment, and for how long a mute holds. */
export type Order = ReturnType<typeof useActions> & { may: boolean; minutes: string; comment: string; length: string };

const text = (params: Record<string, string>) => new URLSearchParams(Object.entries(params).filter(([, value]) => value !== '')).toString();

export function acknowledge(order: Order, rule: string, fingerprint: string, what: string) {
  order.post(`Say that you take care of ${what}, until resolved?`, `alerts/acknowledge?${text({ rule, fingerprint, comment: order.comment })}`);
}

export function mute(order: Order, rule: string, label: string) {
  order.post(
    `Have nobody told of ${label ? `${rule} of ${label}` : `all of ${rule}`} for ${order.length}?`,
    `alerts/mute?${text({ rule, label, minutes: order.minutes, comment: order.comment })}`,
  );
}

/** The alerts of one rule that fire: since when, on what, why, what to do, and where it shows. */
export function AlertGroupCard({ group, address, nowMs, order }: { group: AlertGroup; address: Address; nowMs: number; order: Order }) {
  const severity = severe(group.severity);
  const open = group.count - group.acknowledged;
  return (
    <section className={`alert ${severity.css}`} aria-label={`${group.rule}, ${severity.word}`}>
      <div className="head">
        <span className={`sev ${severity.css}`}>{severity.word}</span>
        <h2>{group.rule}</h2>
        <small className="none">
          {count(group.count)} {group.count === 1 ? 'alert' : 'alerts'}, the first for {span(Math.max(0, nowMs - group.sinceMs))}
          {group.acknowledged > 0 ? `; ${open === 0 ? 'all' : count(group.acknowledged)} acknowledged` : ''}
          {group.count > group.alerts.length ? `; the first ${group.alerts.length} are listed` : ''}
        </small>
        {order.may && (
          <span className="do">
            <button type="button" disabled={order.busy || open === 0} onClick={() => acknowledge(order, group.rule, '', group.count === 1 ? group.rule : `all ${count(group.count)} alerts of ${group.rule}`)}>
              {group.count === 1 ? 'acknowledge' : 'acknowledge all'}
            </button>
            <button type="button" disabled={order.busy} onClick={() => mute(order, group.rule, '')}>
              mute the rule
            </button>
          </span>
        )}
      </div>
      <p>{group.alerts[0]?.remedy}</p>
      <Table<Alert>
        label={`Alerts of ${group.rule}`}
        rows={group.alerts}
        id={(alert) => alert.fingerprint}
        height={270}
        columns={[
          { name: 'on', label: 'On', most: 420, cell: (alert) => <a href={alertHref(address, alert, nowMs)}>{subject(alert)}</a>, sort: subject },
          {
            name: 'since',
            label: 'Since',
            number: true,
            cell: (alert) => <span title={`${moment(alert.sinceMs)}; fired ${moment(alert.firedMs)}`}>{span(Math.max(0, nowMs - alert.sinceMs))}</span>,
            sort: (alert) => nowMs - alert.sinceMs,
          },
          { name: 'what', label: 'What', most: 300, cell: (alert) => alert.summary, sort: (alert) => alert.summary },
          { name: 'why', label: 'Why', most: 460, cell: (alert) => alert.description, sort: (alert) => alert.description },
          ...(group.acknowledged > 0 ? [{ name: 'care', label: 'Taken care of', most: 220, cell: care, sort: (alert: Alert) => alert.acknowledged?.atMs ?? 0 }] : []),
          ...(order.may
            ? [
                {
                  name: 'do',
                  label: 'Actions',
                  cell: (alert: Alert) => (
                    <>
                      {!alert.acknowledged && (
                        <button type="button" disabled={order.busy} aria-label={`acknowledge ${subject(alert)}`} onClick={() => acknowledge(order, alert.rule, alert.fingerprint, `${alert.rule} of ${subject(alert)}`)}>
                          acknowledge
                        </button>
                      )}{' '}
                      {muteLabel(alert) && (
                        <button type="button" disabled={order.busy} aria-label={`mute ${subject(alert)}`} onClick={() => mute(order, alert.rule, muteLabel(alert))}>
                          mute
                        </button>
                      )}
                    </>
                  ),
                },
              ]
            : []),
        ]}
      />
    </section>
  );
}

/** Who takes care of it, and what they said. */
export function care(alert: Alert): string {
  const by = alert.acknowledged;
  return by ? `${by.user || 'an administrator'}${by.comment ? `: ${by.comment}` : ''}` : '';
}
