import { useTexts } from '@cord/sdk';
import { Button, Notice } from '@cord/ui';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { type Change, ConfirmPanel } from '../room/confirm-panel';
import { type Act, inverseOf, kindOf, subjectOf } from './act';
import { TEXTS } from './texts';
import { useKeepTyped } from './use-typed';

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
