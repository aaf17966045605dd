import { CircleAlert } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { Button } from '../../actions/Button';
import { Notice } from '../../feedback/Notice';
import { Input } from '../../forms/Input';
import { say } from '../../words';
import type { ConfirmDialogProps } from '../ConfirmDialog';
import { Dialog } from '../Dialog';
import s from './DrawnConfirm.module.css';

/** What a question is drawn as, once it is to be asked. */
export function DrawnConfirm({
  open,
  onOpenChange,
  title,
  description,
  consequences,
  confirmText,
  busyText,
  cancelText = say('cancel'),
  danger = false,
  typed,
  typedLabel,
  busy = false,
  error,
  onConfirm,
}: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  const confirm = useRef<HTMLButtonElement>(null);
  const formId = useId();
  const [text, setText] = useState('');
  const matches = typed === undefined || text.trim() === typed;
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
            {cancelText}
          </Button>
          <Button
            ref={confirm}
            type="submit"
            form={formId}
            variant={danger ? 'danger' : 'primary'}
            loading={busy}
            loadingText={busyText}
            disabled={!matches}
            disabledReason={say('typeToConfirm', { word: typed ?? '' })}
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
            label={typedLabel ?? say('typeToConfirm', { word: typed })}
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
        {error !== undefined && error !== null && error !== '' && (
          <Notice look="inline" tone="danger" icon={<CircleAlert />} title={error} announce />
        )}
      </form>
    </Dialog>
  );
}
