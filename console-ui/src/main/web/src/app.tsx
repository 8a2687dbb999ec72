// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, type ReactNode } from 'react';
import { change, PAGES, type Page } from './lib/address';
import { moment } from './lib/format';
import { AboutContext, restartSeen, useAddress, useJson, useLive, useSecond, useTheme, useZone } from './lib/hooks';
import { standing } from './lib/live';
import { titled } from './lib/alerts';
import type { AlertsView } from './lib/alertTypes';
import { EventsOfRange } from './lib/eventHooks';
import type { About } from './lib/types';
import { LOCAL, zones } from './lib/zone';
import { Alerts } from './pages/Alerts';
import { Cache } from './pages/Cache';
import { Health } from './pages/Health';
import { Jobs } from './pages/Jobs';
import { Memory } from './pages/Memory';
import { Nodes } from './pages/Nodes';
import { Overview } from './pages/Overview';
import { Queues } from './pages/Queues';
import { Boundary } from './ui/Boundary';
import { RangeBar } from './ui/parts';
import { Search } from './ui/Search';

const TITLES: Record<Page, string> = {
  overview: 'Overview',
  memory: 'Memory',
  queues: 'Spill queues',
  cache: 'Cache',
  jobs: 'Jobs',
  nodes: 'Nodes',
  health: 'Health',
  alerts: 'Alerts',
};

export function App() {
  const address = useAddress();
  const live = useLive();
  const about = useJson<About>('about', 60_000);
  const alerts = useJson<AlertsView>('alerts?limit=0', 5000).data;
  const [theme, setTheme] = useTheme();
  const [zone, setZone] = useZone();
  const main = useRef<HTMLElement>(null);
  const title = TITLES[address.page];
  const before = useRef(address.page);
  // An event may be later than the last beat of the page's own second.
  const now = standing(live, Math.max(useSecond(), live.heardMs));
  // What is old is no alarm.
  const critical = now.late ? '' : titled(alerts?.critical ?? 0);

  useEffect(() => {
    document.title = `${[critical, now.title, title].filter(Boolean).join(' – ')} – Mammoth console`;
    if (before.current !== address.page) {
      // Who reads by ear is told that the page has changed.
      main.current?.focus();
      before.current = address.page;
    }
  }, [title, critical, now.title, address.page]);

  const pages: Record<Page, () => ReactNode> = {
    overview: () => <Overview address={address} />,
    memory: () => <Memory address={address} />,
    queues: () => <Queues address={address} />,
    cache: () => <Cache address={address} />,
    jobs: () => <Jobs address={address} />,
    nodes: () => <Nodes address={address} />,
    health: () => <Health address={address} />,
    alerts: () => <Alerts address={address} />,
  };

  return (
    <AboutContext value={about.data}>
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the page
      </a>
      <header>
        <h1>Mammoth</h1>
        <nav aria-label="Pages">
          {PAGES.map((page) => (
            <a key={page} href={change(address, { page })} aria-current={page === address.page ? 'page' : undefined}>
              {TITLES[page]}
              {page === 'alerts' && alerts !== null && alerts.firing > 0 && (
                <span className={alerts.critical > 0 ? 'firing bad' : 'firing'} title={`${alerts.firing} alerts fire, ${alerts.critical} of them critical`}>
                  {alerts.firing}
                  <span className="skip"> firing</span>
                </span>
              )}
            </a>
          ))}
        </nav>
        <RangeBar address={address} />
        <span className={now.late ? 'status lost' : 'status'} title={now.why}>
          {now.text}
        </span>
        <span className="skip" role="status">
          {now.late ? 'What is shown is old: the console does not answer' : ''}
        </span>
        <Search address={address} titles={TITLES} />
        <details className="settings">
          <summary title="Time zone and colours" aria-label="Settings">
            <span aria-hidden="true">⚙</span>
          </summary>
          <div>
            <label className="select">
              Time zone
              <select aria-label="Time zone" value={zone} onChange={(event) => setZone(event.target.value)}>
                <option value={LOCAL}>local time</option>
                {zones().map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
            <label className="select">
              Colours
              <select aria-label="Colours" value={theme} onChange={(event) => setTheme(event.target.value)}>
                <option value="auto">auto</option>
                <option value="light">light</option>
                <option value="dark">dark</option>
              </select>
            </label>
          </div>
        </details>
      </header>
      <main key={zone} id="main" ref={main} tabIndex={-1} aria-label={title}>
        {address.problems.map((problem) => (
          <p key={problem} className="problem" role="alert">
            {problem}
          </p>
        ))}
        {now.why && <p className={now.late ? 'problem' : 'none'}>{now.why}</p>}
        {live.restartedMs > 0 && (
          <p className="problem" role="alert">
            The console was restarted at {moment(live.restartedMs)}. Numbers of the time without it are missing, and who had a session with a token needs a
            new one.{' '}
            <button type="button" onClick={restartSeen}>
              understood
            </button>
          </p>
        )}
        {live.overview?.trouble && (
          <p className="problem" role="alert">
            {live.overview.trouble}
          </p>
        )}
        {about.error && !live.overview ? (
          <div className="welcome">
            <h2>The console cannot be reached</h2>
            <p>
              {about.error.message}. The page goes on trying. If the console was stopped, start it with{' '}
              <code>mapred --daemon start console</code>; if it asks for Kerberos, get a ticket with <code>kinit</code> and reload.
            </p>
          </div>
        ) : (
          <Boundary key={address.page} what={title}>
            <EventsOfRange address={address}>{pages[address.page]()}</EventsOfRange>
          </Boundary>
        )}
      </main>
    </AboutContext>
  );
}
