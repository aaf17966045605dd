import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from '../classNames';
import { VisuallyHidden } from '../feedback/VisuallyHidden';
import { useShutReason } from './actionGate';
import s from './IconButton.module.css';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** What it does, for everybody: `aria-label` and `title`. */
  label: string;
  /** A lucide icon. */
  icon: ReactNode;
  /** `plain` without border (close), `edged` like a secondary button. */
  look?: 'plain' | 'edged' | undefined;
  /** px of the square: 24 (info), 32, 40 (usual), 44 (sheets). */
  size?: 24 | 32 | 40 | 44 | undefined;
  /** It does nothing without the server: while that is out of reach it is disabled and says why. */
  needsServer?: boolean | undefined;
}

/** An icon alone, always labelled. */
export function IconButton({
  label,
  icon,
  look = 'plain',
  size = 40,
  needsServer = false,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  const reasonId = useId();
  const shut = useShutReason(needsServer);
  // The fragment is there in either state: the button stays one element and keeps the focus.
  return (
    <>
      <button
        type="button"
        title={shut ?? label}
        {...rest}
        aria-label={label}
        aria-disabled={shut === undefined ? rest['aria-disabled'] : true}
        aria-describedby={cx(rest['aria-describedby'], shut !== undefined && reasonId) || undefined}
        className={cx(s.button, s[look], s[`s${size}`], className)}
        onClick={shut === undefined ? onClick : (event) => event.preventDefault()}
      >
        {icon}
      </button>
      {shut !== undefined && <VisuallyHidden id={reasonId}>{shut}</VisuallyHidden>}
    </>
  );
}
