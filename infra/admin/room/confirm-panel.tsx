import { SIGN_IN_TOO_OLD, signInAgainAt } from '@cord/contracts/addresses/auth';
import { ApiError, messageOf, useDraft, useTexts } from '@cord/sdk';
import { Button, ButtonLink, Card, Input, Notice, Row, Stack, VisuallyHidden } from '@cord/ui';
import { ArrowRight } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import s from './confirm-panel.module.css';
import { Key } from './key';
import { KEYS, useKeys } from './keys';
import { TEXTS } from './texts';

/** Limits of a reason's length in the audit log, characters. */
export const REASON_MIN = 3;
export const REASON_MAX = 500;

/** One change of an act; `before` is omitted if there is none. */
export interface Change {
  what: string;
  before?: string | undefined;
  after: string;
}

export interface TypedField {
  label: string;
  help: string;
  /** Returns why the typed text is invalid. */
  error(typed: string): string | undefined;
  /** The line of changes that shows the parsed value. */
  change(typed: string): Change;
}

export interface ConfirmPanelProps {
  /** Key of the draft: act and target, in the characters of an id. The draft survives a new sign-in. */
  about: string;
  /** The panel's heading: the act. */
  title: string;
  /** The changes, one line each. */
  changes?: readonly Change[] | undefined;
  /** A sentence below the changes. */
  note?: string | undefined;
  /** The text of the confirm button. */
  confirmText: string;
  busyText?: string | undefined;
  /** The act removes something: the button is red. */
  danger?: boolean | undefined;
  /** Initial text of the reason field; null if the act takes no reason and has no such field. */
  reason?: string | null | undefined;
  /** A field above the reason, for an amount or a transaction. */
  field?: TypedField | undefined;
  busy: boolean;
  /** The error of the last try. An error that exists when the panel opens belongs to an earlier act and is not shown. */
  error: Error | null;
  /** The text of a failure that has none of its own. */
  failedText: string;
  /** @param reason for the audit log @param typed text of the field above it */
  onConfirm: (reason: string, typed: string) => void;
  onClose: () => void;
  /** Called before a new sign-in, to keep other drafts. */
  onSignIn?: (() => void) | undefined;
}

/**
 * The confirmation of an act on money, rights or an account: its changes, and a field for the reason, which has
 * the focus, or the button if there is none. Esc closes it and returns the focus. If the sign-in is too old for the act, it links to a new sign-in,
 * which returns to this URL and restores the draft.
 */
export function ConfirmPanel({
  about,
  title,
  changes = [],
  note,
  confirmText,
  busyText,
  danger = false,
  reason: given = '',
  field,
  busy,
  error,
  failedText,
  onConfirm,
  onClose,
  onSignIn,
}: ConfirmPanelProps) {
  const t = useTexts(TEXTS);
  const [empty] = useState({ reason: given ?? '', typed: '' });
  const draft = useDraft(`reason-${about}`, empty);
  const [reason, setReason] = useState(draft.typed.reason);
  const [typed, setTyped] = useState(draft.typed.typed ?? '');
  const [isFormer, setFormer] = useState(error !== null);
  if (isFormer && error === null) setFormer(false);
  const first = useFocused();
  // Kept only for the sign-in at Discord: the next act on the same target starts empty.
  useOnce(draft.clear);
  const why = reason.trim();
  const wrong = field?.error(typed);
  const shown = field && wrong === undefined ? [...changes, field.change(typed)] : changes;
  const isReady = (given === null || why.length >= REASON_MIN) && wrong === undefined;
  const close = () => busy || onClose();
  useKeys({ [KEYS.close]: close }, true);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !busy) onConfirm(why, typed);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    close();
  };
  return (
    <Card
      look="edge"
      title={title}
      aside={<Key>Esc</Key>}
      aria-label={title}
      data-testid="confirm"
      data-confirm
      onKeyDown={onKeyDown}
    >
      <Stack as="form" gap={12} onSubmit={submit}>
        {shown.length > 0 && (
          <dl className={s.changes}>
            {shown.map((change) => (
              <div key={change.what}>
                <dt>{change.what}</dt>
                <dd data-number>
                  <Changed {...change} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        {note !== undefined && <p className="t-note">{note}</p>}
        {field && (
          <Input
            ref={first}
            label={field.label}
            help={field.help}
            inputMode="text"
            value={typed}
            error={typed === '' ? undefined : wrong}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {given !== null && (
          <Input
            ref={field ? undefined : first}
            label={t.reason}
            value={reason}
            maxLength={REASON_MAX}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
        {error !== null && !isFormer && (
          <Failed
            error={error}
            text={failedText}
            onSignIn={() => {
              draft.type({ reason, typed });
              onSignIn?.();
            }}
          />
        )}
        <Row gap={8} wrap>
          <Button
            ref={given === null && !field ? first : undefined}
            type="submit"
            variant={danger ? 'danger' : 'primary'}
            needsServer
            loading={busy}
            loadingText={busyText}
            disabled={!isReady}
            disabledReason={wrong ?? t.reasonFirst}
          >
            {confirmText}
          </Button>
          <Button disabled={busy} onClick={close}>
            {t.cancel}
          </Button>
        </Row>
      </Stack>
    </Card>
  );
}

function Changed({ before, after }: Change) {
  const t = useTexts(TEXTS);
  if (before === undefined) return <strong>{after}</strong>;
  return (
    <>
      <VisuallyHidden>{t.before}</VisuallyHidden>
      <s>{before}</s>
      <ArrowRight size={14} />
      <VisuallyHidden>{t.after}</VisuallyHidden>
      <strong>{after}</strong>
    </>
  );
}

/** The error of the act. A sign-in that is too old is shown as a link, not as a failure. */
function Failed({ error, text, onSignIn }: { error: Error; text: string; onSignIn: () => void }) {
  const t = useTexts(TEXTS);
  if (!(error instanceof ApiError && error.type === SIGN_IN_TOO_OLD)) {
    return <Notice look="inline" tone="danger" title={messageOf(error, text)} announce />;
  }
  return (
    <>
      <Notice look="inline" tone="warn" title={t.signInOld} announce>
        {t.signInBack}
      </Notice>
      <ButtonLink className={s.signIn} variant="primary" href={signInAgainAt(location.search)} onClick={onSignIn}>
        {t.signIn}
      </ButtonLink>
    </>
  );
}

/** Focuses the ref's element while it is mounted, then the element that had the focus before, if it still exists. */
function useFocused() {
  const element = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    element.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (there: HTMLElement | null) => {
    element.current = there;
  };
}

/** Runs once, when the component mounts. */
export function useOnce(act: () => void): void {
  const run = useEffectEvent(act);
  useEffect(() => run(), []);
}
