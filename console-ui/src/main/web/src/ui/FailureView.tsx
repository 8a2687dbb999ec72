// SPDX-License-Identifier: Apache-2.0
import { count, moment, shortAttempt, span } from '../lib/format';
import { useAbout } from '../lib/hooks';
import type { FailedAttempt, Failure } from '../lib/past';
import type { JobSample } from '../lib/types';
import { Problem } from './parts';

/** Why a job failed: what it says, then the attempts that failed with the ends of their logs. */
export function FailureView({ job, failure, error }: { job: JobSample; failure: Failure | null; error: Error | null }) {
  const about = useAbout();
  const page = (task: string) =>
    job.finishedMs > 0 ? `${about?.historyServer ?? ''}/jobhistory/task/${task}` : `${about?.resourceManager ?? ''}/proxy/${job.application}/mapreduce/task/${task}`;
  return (
    <section aria-label="Why it failed" className="failure">
      <div className="head">
        <h2>{job.finalStatus === 'KILLED' ? 'It was killed' : 'Why it failed'}</h2>
        <small className="none">{failure && failure.failed !== null ? `${count(failure.failed)} attempts failed, ${count(failure.attempts.length)} of them here` : ''}</small>
      </div>
      <Problem error={error} what="Why it failed" />
      {!failure && !error && <p className="none untold">Loading.</p>}
      {failure && <pre tabIndex={0}>{failure.diagnostics || 'The ResourceManager gives no reason, or has forgotten it.'}</pre>}
      {failure?.untold && <p className="none untold">{failure.untold}.</p>}
      {failure && !failure.untold && failure.attempts.length === 0 && <p className="none untold">No attempt that failed is found: the job ended before its tasks ran, or was killed.</p>}
      {failure?.attempts.map((attempt, i) => (
        <Attempt key={attempt.id} attempt={attempt} open={i === 0} href={page(attempt.task)} />
      ))}
    </section>
  );
}

function Attempt({ attempt, open, href }: { attempt: FailedAttempt; open: boolean; href: string }) {
  return (
    <details open={open}>
      <summary>
        {shortAttempt(attempt.id)} at {attempt.node || 'an unknown node'}, {moment(attempt.startedMs)}, after {span(attempt.finishedMs - attempt.startedMs)}:{' '}
        <b>{attempt.diagnostics.split('\n')[0]}</b>
      </summary>
      <a href={href}>All attempts of its task, and their logs</a>
      {attempt.diagnostics.includes('\n') && (
        <>
          <h3>Its message</h3>
          <pre tabIndex={0}>{attempt.diagnostics}</pre>
        </>
      )}
      {attempt.logs.map((log) => (
        <div key={log.file}>
          <h3>
            {log.untold ? log.file : `The last lines of its ${log.file}, from the ${log.from}`}
          </h3>
          {log.untold ? <p className="none untold">cannot be read: {log.untold}</p> : <pre tabIndex={0}>{log.text}</pre>}
        </div>
      ))}
    </details>
  );
}
