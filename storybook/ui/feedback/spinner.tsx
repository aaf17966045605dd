import s from './spinner.module.css';

export interface SpinnerProps {
  /** px; 16 in a button. */
  size?: number;
}

/** A spinner beside a text about the activity. Hidden from screen readers, which read the text. */
export function Spinner({ size = 16 }: SpinnerProps) {
  return (
    <svg className={s.spinner} width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6.5" fill="none" stroke="currentColor" strokeWidth="2" pathLength="100" />
    </svg>
  );
}
