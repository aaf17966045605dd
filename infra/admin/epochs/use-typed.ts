import { useDraft } from '@cord/sdk';
import { useState } from 'react';
import { useOnce } from '../room/confirm-panel';
import { type Act, NEW } from './act';

const NOTHING = { fields: '{}' };

/** @param of `epoch` or `task` @param id `NEW` for what is not there yet */
const useKept = (of: string, id: string) => useDraft(`form-${of}-${id}`, NOTHING);

/** Keeps what an act changes for the form that it comes from, over the way to a new sign-in. */
export function useKeepTyped<T extends object>(of: string, { before, after }: Act<T>, idOf: (subject: T) => string) {
  const kept = useKept(of, before === null ? NEW : idOf(before));
  const fields = Object.entries(after ?? {}).filter(([field, value]) => before?.[field as keyof T] !== value);
  return () => kept.type({ fields: JSON.stringify(Object.fromEntries(fields)) });
}

/**
 * What an operator has typed into a form, apart from how the thing stands: what another operator changes meanwhile in other fields
 * stays as it is, and shows. A field that is typed as it stands, or is saved, is no longer typed.
 *
 * @param of with `id` as above: what was kept over a new sign-in stands there again, once
 * @param known how it stands now
 */
export function useTyped<T extends object>(of: string, id: string, known: T) {
  const kept = useKept(of, id);
  const [typed, setTyped] = useState(() => JSON.parse(kept.typed.fields) as Partial<T>);
  useOnce(kept.clear);
  const fields = Object.keys(typed) as (keyof T)[];
  const differing = fields.filter((field) => typed[field] !== known[field]);
  if (differing.length < fields.length) {
    setTyped(Object.fromEntries(differing.map((field) => [field, typed[field]])) as Partial<T>);
  }
  return {
    draft: { ...known, ...typed } as T,
    change: (next: Partial<T>) => setTyped((former) => ({ ...former, ...next })),
    discard: () => setTyped({}),
  };
}

/**
 * What a field of a number shows: what was typed while it is no number yet or is the draft's, else the draft's.
 *
 * @param read the number that was typed, null for none
 * @param textOf how the field shows a number
 */
export function numberText(
  typed: string,
  read: number | null,
  draft: number,
  textOf: (number: number) => string = String,
): string {
  return read === null || read === draft ? typed : textOf(draft);
}
