import type { ComponentProps } from 'react';
import { cx } from '../classNames';
import s from './VisuallyHidden.module.css';

/** Text for screen readers only. */
export function VisuallyHidden({ className, ...rest }: ComponentProps<'span'>) {
  return <span className={cx(s.hidden, className)} {...rest} />;
}
