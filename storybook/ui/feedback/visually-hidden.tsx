import type { ComponentProps } from 'react';
import { cx } from '../class-names';
import s from './visually-hidden.module.css';

/** Text for screen readers only. */
export function VisuallyHidden({ className, ...rest }: ComponentProps<'span'>) {
  return <span className={cx(s.hidden, className)} {...rest} />;
}
