// SPDX-License-Identifier: Apache-2.0
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { EventMarks } from '../src/charts/EventMarks';
import { parse } from '../src/lib/address';
import { KINDS, type Event } from '../src/lib/alertTypes';
import { EventsShown } from '../src/lib/eventHooks';
import { concerning, eventHref, foremost, GROUPS, MARK, marks, shapeOf, tone, what, words } from '../src/lib/events';

const AT = 1_700_000_000_000;
const event = (kind: string, timeMs = AT, more: Partial<Event> = {}): Event => ({ timeMs, kind, severity: '', node: '', job: '', user: '', subject: '', text: 'text', ...more });

describe('shapes and words', () => {
  it('each kind has a shape of its own and is in one group', () => {
    const looks = KINDS.map((kind) => `${shapeOf(kind).path} ${shapeOf(kind).filled}`);
    expect(new Set(looks).size).toBe(KINDS.length);
    expect(GROUPS.flatMap((group) => group.kinds).sort()).toEqual([...KINDS].sort());
  });
  it('the worst of several is shown, the latest among the same', () => {
    const list = [event('NODE_BACK', 3), event('ALERT_FIRED', 1, { severity: 'critical' }), event('JOB_ENDED', 2, { severity: 'warning' }), event('ALERT_FIRED', 2, { severity: 'critical' })];
    expect(foremost(list)?.timeMs).toBe(2);
    expect(tone(foremost(list) as Event)).toBe('bad');
    // An alert that is resolved is good news, however bad it was.
    expect(tone(event('ALERT_RESOLVED', 1, { severity: 'critical' }))).toBe('good');
  });
  it('a line names whom it is about and who did it, each once', () => {
    expect(words(event('JOB_ENDED', 1, { job: 'job_1', user: 'ada', subject: 'FAILED', text: 'sort failed' }))).toBe('job_1: sort failed, of ada');
    expect(words(event('ENGINE_ENDED', 1, { node: 'n1', subject: 'e1', text: 'engine ended' }))).toBe('n1: engine ended (e1)');
    expect(words(event('ACTION', 1, { node: 'n1', user: 'ada', text: 'drain' }))).toBe('action: drain by ada on n1');
    expect(words(event('ALERT_FIRED', 1, { subject: 'JobFailed', user: 'bob', job: 'job_1', text: 'sort of bob failed' }))).toBe('alert fired: sort of bob failed');
    expect(what(event('CONSOLE_STARTED', 1, { text: 'console started' }))).toBe('console started');
  });
});

describe('marks', () => {
  const width = 1000;
  const span: [number, number] = [AT, AT + 900_000];
  const x = (ms: number) => ((ms - span[0]) / (span[1] - span[0])) * width;

  it('never overlap, and lose no event', () => {
    let seed = 3;
    const random = (n: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
    for (let round = 0; round < 50; round++) {
      const list = Array.from({ length: random(200) }, () => event('JOB_STARTED', AT + random(900_001)));
      const drawn = marks(list, span, width);
      expect(drawn.flatMap((mark) => mark.events)).toHaveLength(list.length);
      // One at the edge of the span is moved into it.
      drawn.slice(2, -1).forEach((mark, i) => expect(x(mark.timeMs) - x(drawn[i + 1]?.timeMs ?? 0)).toBeGreaterThanOrEqual(MARK - 0.01));
    }
  });
  it('stay the same as time goes on', () => {
    const list = Array.from({ length: 40 }, (_, i) => event('JOB_STARTED', AT + 100_000 + i * 7_000));
    const before = marks(list, span, width);
    for (let later = 1000; later < 60_000; later += 1000) {
      expect(marks(list, [span[0] + later, span[1] + later], width)).toEqual(before);
    }
  });
  it('stand at their very moment where there is room', () => {
    expect(marks([event('ACTION', AT + 123_456)], span, width)[0]?.timeMs).toBe(AT + 123_456);
    expect(marks([event('ACTION', AT - 1), event('ACTION', AT + 900_001)], span, width)).toEqual([]);
  });
  it('of a chart are of what the page has chosen', () => {
    const list = [event('NODE_GONE', 1, { node: 'a' }), event('NODE_GONE', 2, { node: 'b' }), event('JOB_ENDED', 3, { job: 'j' }), event('CONSOLE_STARTED', 4)];
    expect(concerning(list, { node: 'a' }).map((e) => e.timeMs)).toEqual([1, 3, 4]);
    expect(concerning(list, { node: 'a', job: 'k' }).map((e) => e.timeMs)).toEqual([1, 4]);
  });
  it('are one stop of the tab key, and say aloud what they are', () => {
    const list = [event('NODE_GONE', AT + 1000, { node: 'n1', text: 'gone: refused', severity: 'warning' }), event('ACTION', AT + 500_000), event('ACTION', AT + 500_001)];
    const page = renderToStaticMarkup(
      <EventsShown value={{ address: parse('#/overview'), events: list }}>
        <EventMarks domain={span} left={76} width={width} onTip={() => undefined} />
      </EventsShown>,
    );
    expect(page.match(/tabindex="0"/gi)).toHaveLength(1);
    expect(page).toMatch(/aria-label="[^"]*n1: gone: refused"/);
    expect(page).toMatch(/aria-label="[^"]*action: text, and 1 more"/);
    expect(renderToStaticMarkup(<EventMarks domain={span} left={76} width={width} onTip={() => undefined} />)).toBe('');
  });
  it('of a kind that a later release has are drawn as well', () => {
    const list = [event('DISK_REPLACED', AT + 1000, { node: 'n1', text: 'sda' })];
    const page = renderToStaticMarkup(
      <EventsShown value={{ address: parse('#/overview'), events: list }}>
        <EventMarks domain={span} left={76} width={width} onTip={() => undefined} />
      </EventsShown>,
    );
    expect(page).toMatch(/aria-label="[^"]*n1: sda"/);
    expect(shapeOf('DISK_REPLACED').label).toBe('disk replaced');
  });
});

it('an event leads to the page that shows it, around its moment', () => {
  const address = parse('#/alerts?kinds=jobs');
  expect(eventHref(address, event('JOB_ENDED', 1_000_000, { job: 'job_1' }))).toBe('#/jobs?from=700000&to=1300000&job=job_1');
  expect(eventHref(address, event('NODE_GONE', 1_000_000, { node: 'n:1' }))).toBe('#/nodes?from=700000&to=1300000&node=n%3A1');
  expect(eventHref(address, event('CONSOLE_STARTED', 1_000_000))).toBe('#/overview?from=700000&to=1300000');
});
