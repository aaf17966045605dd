import type { Change } from '../room/confirm-panel';

/** Used as the id of a thing that does not exist yet. */
export const NEW = 'new';

/** A change by an operator: the thing before and after it. Null where it does not exist. */
export interface Act<T> {
  before: T | null;
  after: T | null;
  /** The initial text of the reason field, for an undo. */
  reason?: string;
}

type ActKind = 'create' | 'update' | 'remove';

export function kindOf({ before, after }: Act<unknown>): ActKind {
  if (before === null) return 'create';
  return after === null ? 'remove' : 'update';
}

/** The thing that an act changes. */
export function subjectOf<T>({ before, after }: Act<T>): T {
  return (after ?? before) as T;
}

/** The act that reverts another. It has its own entry in the audit log. */
export function inverseOf<T>({ before, after }: Act<T>, reason: string): Act<T> {
  return { before: after, after: before, reason };
}

/** Those of the given fields that the act changes. */
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

/** The selection of a card of this view. */
export interface ChosenProps {
  /** Id of the selected thing, or `NEW`; null before a selection. */
  chosen: string | null;
  onChoose: (id: string | null) => void;
}
