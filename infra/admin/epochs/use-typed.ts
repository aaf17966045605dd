import { useDraft } from '@cord/sdk';
import { useState } from 'react';
import { useOnce } from '../room/confirm-panel';
import { type Act, NEW } from './act';

const NOTHING = { fields: '{}' };

/** @param of `epoch` or `task` @param id `NEW` for a thing that does not exist yet */
const useKept = (of: string, id: string) => useDraft(`form-${of}-${id}`, NOTHING);

/** Keeps the changes of an act for its form while the operator signs in again. */
export function useKeepTyped<T extends object>(of: string, { before, after }: Act<T>, idOf: (subject: T) => string) {
  const kept = useKept(of, before === null ? NEW : idOf(before));
  const fields = Object.entries(after ?? {}).filter(([field, value]) => before?.[field as keyof T] !== value);
  return () => kept.type({ fields: JSON.stringify(Object.fromEntries(fields)) });
}

/**
 * The draft of a form, kept apart from the stored values: a change by another operator in other fields shows and is not overwritten.
 * A field leaves the draft when it equals the stored value or is saved.
 *
 * @param of with `id` as above: a draft kept over a new sign-in is restored once
 * @param known the stored values
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
 * The text of a number field: the typed text while it is not a number or equals the draft's number, else the draft's number.
 *
 * @param read parses typed text; null if it is not a number
 * @param textOf formats a number for the field
 */
export function numberText(
  typed: string,
  read: number | null,
  draft: number,
  textOf: (number: number) => string = String,
): string {
  return read === null || read === draft ? typed : textOf(draft);
}
