import { useState } from 'react';

/**
 * What an operator has typed into a form, apart from how the thing stands: what another operator changes meanwhile in other fields
 * stays as it is, and shows. A field that is typed as it stands, or is saved, is no longer typed.
 *
 * @param known how it stands now
 */
export function useTyped<T extends object>(known: T) {
  const [typed, setTyped] = useState<Partial<T>>({});
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
