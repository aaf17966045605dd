import { useTexts } from '@cord/sdk';
import { Button, Notice } from '@cord/ui';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { type Change, ConfirmPanel } from '../room/confirm-panel';
import { TEXTS } from './texts';
import { useKeepTyped } from './use-typed';

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

/** An act that went through, with the reason that was given. */
export interface Done<T> {
  act: Act<T>;
  reason: string;
}

interface ActPanelProps<T> {
  /** In the name of what was typed: `epoch`, `task`. */
  of: string;
  act: Act<T>;
  idOf: (subject: T) => string;
  nameOf: (subject: T) => string;
  changes: readonly Change[];
  /** A sentence under the changes. */
  note?: string | undefined;
  sending: { press(done: Done<T>): void; isPending: boolean; error: Error | null };
  onClose: () => void;
}

/** What an act changes, and why: the last step before it. */
export function ActPanel<T extends object>({
  of,
  act,
  idOf,
  nameOf,
  changes,
  note,
  sending,
  onClose,
}: ActPanelProps<T>) {
  const t = useTexts(TEXTS);
  const kind = kindOf(act);
  const subject = subjectOf(act);
  const keepTyped = useKeepTyped(of, act, idOf);
  return (
    <ConfirmPanel
      about={`${of}-${idOf(subject)}`}
      title={t[`act.${kind}`]({ name: nameOf(subject) })}
      changes={changes}
      note={note}
      confirmText={t[`confirm.${kind}`]}
      busyText={t.saving}
      danger={kind === 'remove'}
      reason={act.reason}
      busy={sending.isPending}
      error={sending.error}
      failedText={t.actFailed}
      onConfirm={(reason) => sending.press({ act, reason })}
      onClose={onClose}
      onSignIn={keepTyped}
    />
  );
}

interface DoneNoticeProps<T> {
  done: Done<T>;
  nameOf: (subject: T) => string;
  onUndo: (act: Act<T>) => void;
  onClose: () => void;
}

/** What was done last, and the way back as long as it stands here; later the audit trail has it. */
export function DoneNotice<T>({ done: { act, reason }, nameOf, onUndo, onClose }: DoneNoticeProps<T>) {
  const t = useTexts(TEXTS);
  return (
    <Notice
      look="inline"
      tone="live"
      icon={<CircleCheck />}
      title={t[`done.${kindOf(act)}`]({ name: nameOf(subjectOf(act)) })}
      announce
      onClose={onClose}
      action={
        <Button size="sm" onClick={() => onUndo(inverseOf(act, t.undoReason({ reason })))}>
          {t.undo}
        </Button>
      }
    />
  );
}

/** The act that waits for its reason, and the one that was done last. */
export function useActs<T>() {
  const [act, setAct] = useState<Act<T> | null>(null);
  const [done, setDone] = useState<Done<T> | null>(null);
  return {
    act,
    done,
    choose(next: Act<T>) {
      setDone(null);
      setAct(next);
    },
    close: () => setAct(null),
    forget: () => setDone(null),
    /** It went through. */
    finish(finished: Done<T>) {
      setAct(null);
      setDone(finished);
    },
  };
}
