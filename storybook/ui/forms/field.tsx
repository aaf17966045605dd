import { CircleAlert, Lock } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { cx } from '../class-names';
import { VisuallyHidden } from '../feedback/visually-hidden';
import s from './field.module.css';

export interface FieldTexts {
  /** Label above the field; required, `labelHidden` hides it except from screen readers. */
  label: string;
  labelHidden?: boolean | undefined;
  /** Under the field. */
  help?: ReactNode;
  /** Replaces the help, with an icon; marks the field as invalid. */
  error?: ReactNode;
  /** Reason why the field is locked, shown below it with a lock icon. */
  locked?: ReactNode;
  className?: string | undefined;
}

export interface FieldWiring {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  /** Set for a locked field. */
  readOnly?: true;
}

interface FieldProps extends FieldTexts {
  id?: string | undefined;
  lead?: ReactNode;
  trail?: ReactNode;
  children: (wiring: FieldWiring) => ReactNode;
}

/** Label, box, and the line below it, connected by ids. The base of Input and TextArea. */
export function Field({ label, labelHidden, help, error, locked, className, id, lead, trail, children }: FieldProps) {
  const ownId = useId();
  const fieldId = id ?? ownId;
  const noteId = `${fieldId}-note`;
  const hasError = error !== undefined && error !== null && error !== false && error !== '';
  const isLocked = locked !== undefined && locked !== null && locked !== false;
  const note = hasError ? error : isLocked ? locked : help;
  const hasNote = note !== undefined && note !== null && note !== '';
  return (
    <div className={cx('l-column l-narrow', className)}>
      <label className={labelHidden ? undefined : s.label} htmlFor={fieldId}>
        {labelHidden ? <VisuallyHidden>{label}</VisuallyHidden> : label}
      </label>
      <div className={cx(s.box, hasError && s.invalid, isLocked && s.locked)}>
        {lead}
        {children({
          id: fieldId,
          'aria-describedby': hasNote ? noteId : undefined,
          'aria-invalid': hasError || undefined,
          ...(isLocked && { readOnly: true }),
        })}
        {trail}
      </div>
      <div id={noteId}>
        {/* The live region exists before its text, so that an error is announced; help that changes during typing is not. */}
        <div aria-live="polite">
          {hasError && (
            <p className={cx(s.note, 'c-danger')}>
              <CircleAlert size={16} />
              <span>{note}</span>
            </p>
          )}
        </div>
        {hasNote && !hasError && (
          <p className={cx(s.note, 'c-3')}>
            {isLocked && <Lock size={16} />}
            <span>{note}</span>
          </p>
        )}
      </div>
    </div>
  );
}
