import { Check } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useShutReason } from '../actions/action-gate';
import { cx } from '../class-names';
import { VisuallyHidden } from '../feedback/visually-hidden';
import s from './switch.module.css';

export interface SwitchProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** The label, shown beside the switch unless `labelHidden`. */
  label: string;
  labelHidden?: boolean | undefined;
  /** A line below the label; lays out a row with the switch at the right, as in Settings. */
  help?: ReactNode;
  /** Id of a description elsewhere. */
  'aria-describedby'?: string | undefined;
  disabled?: boolean | undefined;
  /** Needs the server: while that is unreachable, the switch is disabled and shows why (in place of `help`, if there is one). */
  needsServer?: boolean | undefined;
  testId?: string | undefined;
}

/** A switch with a check mark when on. With `help` it is a whole row of settings. */
export function Switch({
  checked,
  onChange,
  label,
  labelHidden,
  help,
  disabled: off = false,
  needsServer = false,
  testId,
  'aria-describedby': describedBy,
}: SwitchProps) {
  const id = useId();
  const shut = useShutReason(needsServer);
  const disabled = off || shut !== undefined;
  const row = help !== undefined;
  return (
    <div className={row ? s.row : s.inline}>
      {!labelHidden && (
        <div className="l-narrow">
          <label htmlFor={id} className={row ? s.title : 't-body'}>
            {label}
          </label>
          {row && (
            <p id={`${id}-help`} className={s.help}>
              {shut ?? help}
            </p>
          )}
        </div>
      )}
      <button
        type="button"
        role="switch"
        id={id}
        className={s.track}
        aria-checked={checked}
        // Stays focusable: aria-disabled instead of disabled, as on buttons.
        onClick={() => !disabled && onChange(!checked)}
        aria-disabled={disabled || undefined}
        aria-label={labelHidden ? label : undefined}
        aria-describedby={cx(describedBy, (row || shut !== undefined) && `${id}-help`) || undefined}
        title={row ? undefined : shut}
        data-testid={testId}
      >
        <span className={s.thumb}>{checked && <Check size={14} />}</span>
      </button>
      {!row && shut !== undefined && <VisuallyHidden id={`${id}-help`}>{shut}</VisuallyHidden>}
    </div>
  );
}
