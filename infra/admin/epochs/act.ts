import type { Change } from '../room/confirm-panel';

/** In the place of an id: what is not there yet. */
export const NEW = 'new';

/** What an operator changes: a thing as it is and as it is to be; null where it is not there. */
export interface Act<T> {
  before: T | null;
  after: T | null;
  /** Why it is done again the other way round: what stands in the field of the reason at first. */
  reason?: string;
}

type ActKind = 'create' | 'update' | 'remove';

export function kindOf({ before, after }: Act<unknown>): ActKind {
  if (before === null) return 'create';
  return after === null ? 'remove' : 'update';
}

/** The thing that it is about. */
export function subjectOf<T>({ before, after }: Act<T>): T {
  return (after ?? before) as T;
}

/** What puts it back: an act like any other, with a line of its own in the audit log. */
export function inverseOf<T>({ before, after }: Act<T>, reason: string): Act<T> {
  return { before: after, after: before, reason };
}

/** Names of the fields that the act changes, of those that are named. */
export function changedOf<T extends object, Field extends keyof T>(act: Act<T>, fields: readonly Field[]): Field[] {
  return fields.filter((field) => act.before?.[field] !== act.after?.[field]);
}

/** A line for each field that the act changes, as text. */
export function changeLines<T extends object, Field extends keyof T>(
  act: Act<T>,
  fields: readonly Field[],
  { names, textOf, none }: { names: Record<Field, string>; textOf: (one: T, field: Field) => string; none: string },
): Change[] {
  return changedOf(act, fields).map((field) => ({
    what: names[field],
    before: act.before ? textOf(act.before, field) : undefined,
    after: act.after ? textOf(act.after, field) : none,
  }));
}

/** What a card of this view has chosen to change. */
export interface ChosenProps {
  /** Id of what is changed, or `NEW`; null before a choice. */
  chosen: string | null;
  onChoose: (id: string | null) => void;
}
