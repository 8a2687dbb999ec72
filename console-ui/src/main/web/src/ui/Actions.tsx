// SPDX-License-Identifier: Apache-2.0
import { useState } from 'react';
import { act, actFile, type Done } from '../lib/hooks';

/** What an action came to: said to who reads by ear too, and shown until the next one. */
export function useActions() {
  const [done, setDone] = useState<Done | null>(null);
  const [busy, setBusy] = useState(false);
  const run = (question: string, work: () => Promise<Done>) => {
    if (busy || !window.confirm(question)) {
      return;
    }
    setBusy(true);
    setDone({ ok: true, text: 'Asking the daemon …' });
    void work()
      .then(setDone)
      .finally(() => setBusy(false));
  };
  return {
    busy,
    done,
    post: (question: string, path: string) => run(question, () => act(path)),
    fetch: (question: string, path: string) => run(question, () => actFile(path)),
  };
}

export function Outcome({ done }: { done: Done | null }) {
  return (
    <p className={done ? (done.ok ? 'done' : 'problem') : 'skip'} role="status">
      {done?.text ?? ''}
    </p>
  );
}
