import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../actions/button';
import { Notice } from '../feedback/notice';
import { Input } from '../forms/input';
import { uiText } from '../ui-texts';
import s from './confirm-dialog.module.css';
import { Dialog } from './dialog';

export interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** The effect of the action. */
  description: ReactNode;
  /** What is deleted and what is kept, one line each. */
  consequences?: readonly ReactNode[] | undefined;
  /** The text of the confirm button: Sign Out, Delete account. */
  confirmText: string;
  /** While `busy`: Signing out, Deleting. */
  busyText?: string | undefined;
  /** Danger: a red button, and the focus is on Cancel. Otherwise the focus is on the next step. */
  danger?: boolean | undefined;
  /** Text that must be typed to enable the button: the user name. */
  typed?: string | undefined;
  busy?: boolean | undefined;
  /** The error of the last try. An error that exists when the dialog opens is old and not shown. */
  error?: ReactNode;
  onConfirm: () => void;
}

/** A text as it can be typed: names may have ornamental letters, invisible characters, and several spaces that are shown as one. */
const keyed = (text: string) => text.normalize('NFKC').replace(/[\s\p{Default_Ignorable_Code_Point}]+/gu, '');

/** A confirm dialog. It stays open until the caller closes it, so that failures can be shown. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  consequences,
  confirmText,
  busyText,
  danger = false,
  typed,
  busy = false,
  error,
  onConfirm,
}: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  const formId = useId();
  const [text, setText] = useState('');
  const hasError = error !== undefined && error !== null && error !== '';
  const [isFormer, setFormer] = useState(false);
  // While closed it follows `error`; once open it can only be cleared.
  if (isFormer !== hasError && (isFormer || !open)) setFormer(hasError);
  const matches = typed === undefined || keyed(text) === keyed(typed);
  const change = (next: boolean) => {
    if (busy) return;
    if (!next) setText('');
    onOpenChange(next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (matches && !busy) onConfirm();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={title}
      description={description}
      initialFocus={danger ? cancel : confirm}
      closeHidden
      width={430}
      footer={
        <>
          <Button ref={cancel} variant={danger ? 'secondary' : 'ghost'} onClick={() => change(false)} disabled={busy}>
            {uiText('cancel')}
          </Button>
          <Button
            ref={confirm}
            type="submit"
            form={formId}
            variant={danger ? 'danger' : 'primary'}
            loading={busy}
            loadingText={busyText}
            disabled={!matches}
            disabledReason={uiText('typeToConfirm', { text: typed ?? '' })}
          >
            {confirmText}
          </Button>
        </>
      }
    >
      <form id={formId} className={s.form} onSubmit={submit}>
        {consequences && (
          <ul className={s.list}>
            {consequences.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed while the dialog is open
              <li key={index}>{line}</li>
            ))}
          </ul>
        )}
        {typed !== undefined && (
          <Input
            label={uiText('typeToConfirm', { text: typed })}
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
        {hasError && !isFormer && <Notice look="inline" tone="danger" title={error} announce />}
      </form>
    </Dialog>
  );
}
