// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import type { Address } from '../lib/address';
import { calm } from '../lib/alerts';
import type { AlertsView } from '../lib/alertTypes';
import { useAbout, useJson } from '../lib/hooks';
import { Outcome, useActions } from '../ui/Actions';
import { AlertGroupCard } from '../ui/AlertGroupCard';
import { Deliveries, Mutes, Resolved, Rules } from '../ui/AlertTables';
import { EventList } from '../ui/EventList';
import { Problem, Select } from '../ui/parts';
import './alerts.css';

const TIMES: [string, string][] = [
  ['60', '1 h'],
  ['480', '8 h'],
  ['1440', '1 day'],
  ['10080', '7 days'],
];

/** What fires, what is muted, what was resolved, by which rules, who is told; and what happened. */
export function Alerts({ address }: { address: Address }) {
  const { data, error } = useJson<AlertsView>('alerts', 3000);
  const about = useAbout();
  const actions = useActions();
  const [minutes, setMinutes] = useState('60');
  const [comment, setComment] = useState('');
  if (!data) {
    return error ? <Problem error={error} what="Alerts" /> : <p className="none">Loading.</p>;
  }
  const firing = data.groups.filter((group) => group.state === 'FIRING' && !group.muted);
  const muted = data.groups.filter((group) => group.state === 'FIRING' && group.muted);
  const order = {
    may: about?.admin ?? false,
    minutes,
    comment: comment.trim(),
    length: TIMES.find(([value]) => value === minutes)?.[1] ?? '',
    ...actions,
  };
  return (
    <>
      <Problem error={error} what="Alerts" />
      {data.trouble && (
        <p className="problem" role="alert">
          {data.trouble}
        </p>
      )}
      {data.deliveries
        .filter((delivery) => delivery.error)
        .map((delivery) => (
          <p key={delivery.channel} className="problem" role="alert">
            Notifications are not delivered by {delivery.channel}: {delivery.error}. They are tried again.
          </p>
        ))}
      {firing.length === 0 && (
        <p className="calm framed" role="status">
          {calm(data)}
        </p>
      )}
      {about?.noActions && <p className="unproven none">{about.noActions}</p>}
      {order.may && (firing.length > 0 || muted.length > 0) && (
        <div className="controls" role="group" aria-label="How to acknowledge and mute">
          <label className="select">
            Comment
            <input value={comment} maxLength={200} placeholder="for the others" onChange={(event) => setComment(event.target.value)} />
          </label>
          <Select label="Mute for" value={minutes} options={TIMES} onChange={setMinutes} />
        </div>
      )}
      <Outcome done={actions.done} />
      {firing.map((group) => (
        <AlertGroupCard key={group.rule} group={group} address={address} nowMs={data.timeMs} order={order} />
      ))}
      {(muted.length > 0 || data.mutes.length > 0) && <Mutes view={data} groups={muted} address={address} order={order} />}
      <EventList address={address} />
      <Resolved view={data} address={address} />
      <Rules view={data} order={order} />
      <Deliveries view={data} order={order} />
    </>
  );
}
