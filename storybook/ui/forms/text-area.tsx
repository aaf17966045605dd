import type { ComponentProps } from 'react';
import { cx } from '../class-names';
import { Field, type FieldTexts } from './field';
import s from './field.module.css';

export interface TextAreaProps extends FieldTexts, Omit<ComponentProps<'textarea'>, 'className' | 'disabled'> {}

/** Several lines of text. */
export function TextArea({ label, labelHidden, help, error, locked, className, id, ...rest }: TextAreaProps) {
  return (
    <Field {...{ label, labelHidden, help, error, locked, className, id }}>
      {(wiring) => <textarea rows={4} {...rest} {...wiring} className={cx(s.control, s.area)} />}
    </Field>
  );
}
