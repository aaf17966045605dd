import { useTexts } from '@cord/sdk';
import { Button, Notice } from '@cord/ui';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { type Change, ConfirmPanel } from '../room/confirm-panel';
import { type Act, inverseOf, kindOf, subjectOf } from './act';
import { TEXTS } from './texts';
import { useKeepTyped } from './use-typed';

/** A completed act with its reason. */
export interface Done<T> {
  act: Act<T>;
  reason: string;
}

interface ActPanelProps<T> {
  /** The kind in the key of a kept draft: `epoch` or `task`. */
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

/** The last step before an act: shows what it changes and requires a reason. */
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

/** The last completed act, with a button to undo it. Later it can be undone in the audit log. */
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

/** The act that needs its reason, and the last completed act. */
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
    /** The act has completed. */
    finish(finished: Done<T>) {
      setAct(null);
      setDone(finished);
    },
  };
}
