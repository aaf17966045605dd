import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../class-names';
import { Field, type FieldTexts } from './field';
import s from './field.module.css';

export interface InputProps extends FieldTexts, Omit<ComponentProps<'input'>, 'className' | 'disabled'> {
  /** A lucide icon before the text. */
  icon?: ReactNode;
  /** Inside the box after the text: a clear or copy button. */
  trail?: ReactNode;
  /** Wide spaced letters, for codes. */
  code?: boolean | undefined;
}

/** One line of text, 44 px high: label above, help or error below. */
export function Input({
  label,
  labelHidden,
  help,
  error,
  locked,
  className,
  icon,
  trail,
  code,
  id,
  ...rest
}: InputProps) {
  return (
    <Field {...{ label, labelHidden, help, error, locked, className, id, trail }} lead={icon}>
      {(wiring) => (
        <input
          type="text"
          autoComplete="off"
          spellCheck={code ? false : undefined}
          {...rest}
          {...wiring}
          className={cx(s.control, code && s.code)}
        />
      )}
    </Field>
  );
}
