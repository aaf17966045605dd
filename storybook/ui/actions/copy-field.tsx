import { Check, Copy } from 'lucide-react';
import { useRef } from 'react';
import { cx } from '../class-names';
import { VisuallyHidden } from '../feedback/visually-hidden';
import { uiText } from '../ui-texts';
import { Button } from './button';
import s from './copy-field.module.css';
import { useCopied } from './use-copied';

export interface CopyFieldProps {
  /** Accessible name: "Your referral code". */
  label: string;
  value: string;
  /** `inside` puts a small button in the box (a code), `beside` a primary one next to it (a link). */
  look?: 'inside' | 'beside' | undefined;
  copyText?: string | undefined;
  copiedText?: string | undefined;
  /** Wide spaced letters, for codes. */
  code?: boolean | undefined;
  /** Shows the whole text on several lines: a command is read before it is run. */
  command?: boolean | undefined;
}

/** An option of a command, kept in one line: the browser would break after each hyphen. */
const OPTION = /(--\S+)/;

const part = (text: string, index: number) =>
  OPTION.test(text) ? (
    // Its place is the key: an option may occur twice.
    <span key={index} className="t-line">
      {text}
    </span>
  ) : (
    text
  );

/** A text with its copy button; feedback for 2 s. Without clipboard access the text is selected instead. */
export function CopyField({
  label,
  value,
  look = 'inside',
  copyText = uiText('copy'),
  copiedText = uiText('copied'),
  code = false,
  command = false,
}: CopyFieldProps) {
  const { state, copy } = useCopied();
  const box = useRef<HTMLDivElement>(null);
  const press = async () => {
    if (await copy(value)) return;
    const text = box.current?.firstElementChild;
    if (text instanceof HTMLInputElement) text.select();
    else if (text) getSelection()?.selectAllChildren(text);
  };
  const copied = state === 'copied';
  const button = (
    <Button
      {...(look === 'inside' ? { variant: 'ghost', size: 'sm' } : { variant: 'primary', className: s.button })}
      icon={copied ? <Check /> : <Copy />}
      onClick={press}
    >
      {copied ? copiedText : copyText}
    </Button>
  );
  return (
    <div className={cx(s.field, s[look])}>
      <div className={s.box} ref={box} {...(command && { role: 'group', 'aria-label': label })}>
        {command ? (
          <code className={s.command}>{value.split(OPTION).map(part)}</code>
        ) : (
          <input
            className={cx(s.text, code && 't-code')}
            aria-label={label}
            value={value}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
          />
        )}
        {look === 'inside' && button}
      </div>
      {look === 'beside' && button}
      <VisuallyHidden role="status">
        {copied ? `${label}: ${copiedText}` : state === 'failed' ? uiText('copyRefusedSelected') : ''}
      </VisuallyHidden>
    </div>
  );
}
