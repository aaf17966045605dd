import type { ComponentProps } from 'react';
import { cx } from '../class-names';

/** Text for screen readers only. */
export function VisuallyHidden({ className, ...rest }: ComponentProps<'span'>) {
  return <span className={cx('t-hidden', className)} {...rest} />;
}
