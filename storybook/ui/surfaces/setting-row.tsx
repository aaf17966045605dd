import type { ReactNode } from 'react';
import s from './setting-row.module.css';

export interface SettingRowProps {
  title: ReactNode;
  /** A line or two below the title. */
  help: ReactNode;
  /** Id of that text, for the control that it describes. */
  helpId?: string | undefined;
  /** Control or state at the end of the row. */
  children?: ReactNode;
}

/** One row of a settings card: title, help and control. */
export function SettingRow({ title, help, helpId, children }: SettingRowProps) {
  return (
    <div className={s.row}>
      <div className={s.texts}>
        <p className="t-600 t-break">{title}</p>
        <p id={helpId} className="t-note">
          {help}
        </p>
      </div>
      {children}
    </div>
  );
}
