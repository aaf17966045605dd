import { SIGN_IN_TOO_OLD, signInAgainAt } from '@cord/contracts/addresses/auth';
import { ApiError, messageOf, useDraft, useTexts } from '@cord/sdk';
import { Button, ButtonLink, Card, Input, Notice, Row, Stack, VisuallyHidden } from '@cord/ui';
import { ArrowRight } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import s from './confirm-panel.module.css';
import { Key } from './key';
import { KEYS, useKeys } from './keys';
import { TEXTS } from './texts';

/** As short and as long as a reason may be in the audit log. */
export const REASON_MIN = 3;
export const REASON_MAX = 500;

/** What an act changes; `before` is left out where there is none. */
export interface Change {
  what: string;
  before?: string | undefined;
  after: string;
}

export interface TypedField {
  label: string;
  help: string;
  /** Why what is typed is nothing that the act takes. */
  error(typed: string): string | undefined;
  /** The line of the changes that shows how it is read. */
  change(typed: string): Change;
}

export interface ConfirmPanelProps {
  /** Which act on whom, in an id's letters: what was typed waits under it over a new sign-in. */
  about: string;
  /** What is done: the panel's heading. */
  title: string;
  /** What it changes, a line each. */
  changes?: readonly Change[] | undefined;
  /** A sentence under the changes. */
  note?: string | undefined;
  /** The text of the button that does it. */
  confirmText: string;
  busyText?: string | undefined;
  /** It takes something away: the button is red. */
  danger?: boolean | undefined;
  /** What stands in the field at first; null where the act takes no reason, and no field stands there. */
  reason?: string | null | undefined;
  /** A field above the reason, where the act needs an amount or a transaction. */
  field?: TypedField | undefined;
  busy: boolean;
  /** Why the last try failed; one that stands there as the panel opens is of an earlier act and not shown. */
  error: Error | null;
  /** What a failure is called that has no text of its own. */
  failedText: string;
  /** @param reason as it will stand in the audit log @param typed in the field above it */
  onConfirm: (reason: string, typed: string) => void;
  onClose: () => void;
  /** The operator leaves for a new sign-in: what else was typed is to be kept, too. */
  onSignIn?: (() => void) | undefined;
}

/**
 * What an operator sees before an act on money, rights or an account: what it changes, and a field for the reason, which has
 * the focus, or the button where there is none. Esc closes it, and the focus goes back to where it was. Where the sign-in is too old for the act it leads to a new one,
 * which comes back to this address; what was typed waits there.
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
  // Kept over the way through Discord alone: the next act on the same is another.
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

/** Why it was not done; an old sign-in is no failure, but a way to go. */
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

/** A ref of what has the focus while it is there; then the element that had it before, if that is still there. */
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

/** Once, as what it is called in opens. */
export function useOnce(act: () => void): void {
  const run = useEffectEvent(act);
  useEffect(() => run(), []);
}
