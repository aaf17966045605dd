import type { ReactNode } from 'react';
import s from './setting-row.module.css';

export interface SettingRowProps {
  title: ReactNode;
  /** A line or two under it. */
  help: ReactNode;
  /** Id of that line, for a control that it describes. */
  helpId?: string | undefined;
  /** What can be done, or how it stands, at the end of the row. */
  children?: ReactNode;
}

/** One line of a card of settings: what it is, and what can be done. */
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
