import type { ComponentProps, ReactNode } from 'react';
import { cx } from '../class-names';
import s from './icon-button.module.css';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** The action, as `aria-label` and `title`. */
  label: string;
  /** A lucide icon. */
  icon: ReactNode;
  /** Side of the square, px: 24 (info), 32, 40 (default), 44 (sheets). */
  size?: 24 | 32 | 40 | 44 | undefined;
}

/** An icon alone, always labelled. */
export function IconButton({ label, icon, size = 40, className, ...rest }: IconButtonProps) {
  return (
    <button type="button" title={label} {...rest} aria-label={label} className={cx(s.button, s[`s${size}`], className)}>
      {icon}
    </button>
  );
}
