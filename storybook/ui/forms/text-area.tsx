import type { ComponentProps } from 'react';
import { cx } from '../class-names';
import { Field, type FieldTexts } from './field';
import s from './field.module.css';

export interface TextAreaProps
  extends Pick<FieldTexts, 'label' | 'help' | 'error'>,
    Omit<ComponentProps<'textarea'>, 'className' | 'disabled' | 'id'> {}

/** Several lines of text. */
export function TextArea({ label, help, error, ...rest }: TextAreaProps) {
  return (
    <Field {...{ label, help, error }}>
      {(wiring) => <textarea rows={4} {...rest} {...wiring} className={cx(s.control, s.area)} />}
    </Field>
  );
}
