// SPDX-License-Identifier: Apache-2.0
import { change, type Address } from '../lib/address';
import { count } from '../lib/format';
import { useJson } from '../lib/hooks';
import type { CauseView } from '../lib/types';

/** The group of what needs attention that the address names: whom it is about, null until that is known or if it is about nobody any more. */
export function useCause(address: Address) {
  const cause = address.pick.cause ?? '';
  const { data, error } = useJson<CauseView>(cause ? `attention/${encodeURIComponent(cause)}` : null, 5000);
  return { cause, item: data?.item ?? null, subjects: data ? new Set(data.subjects) : null, error };
}

/** Says of which group only a list is, and leads back to all of it. */
export function CauseLine({ address, of, what }: { address: Address; of: ReturnType<typeof useCause>; what: string }) {
  if (!of.cause) {
    return null;
  }
  const all = <a href={change(address, { pick: { cause: '' } })}>show all {what}</a>;
  if (of.error) {
    return (
      <p className="problem" role="status">
        What led here is not so any more, or cannot be asked for: {of.error.message}; {all}.
      </p>
    );
  }
  return of.item ? (
    <p className={of.item.severity === 'bad' ? 'problem' : 'none'} role="status">
      Only the {count(of.item.count)} {what} of which it is said: {of.item.text}; {all}.
    </p>
  ) : (
    <p className="none">Loading.</p>
  );
}
