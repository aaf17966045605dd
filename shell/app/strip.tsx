import { cx } from '@cord/ui';
import type { ReactNode } from 'react';
import s from './strip.module.css';

interface StripProps {
  icon: ReactNode;
  /** Small buttons. */
  action?: ReactNode;
  testId?: string;
  /** A warning by default. */
  tone?: 'news';
  children: ReactNode;
}

/** A strip under the header with a message about the whole page. */
export function Strip({ icon, action, testId, tone, children }: StripProps) {
  return (
    <div className={cx(s.strip, tone && s[tone])} data-testid={testId}>
      <div className={cx(s.row, action !== undefined && s.withAction)}>
        {icon}
        <div className={s.content}>
          <p className={s.texts}>{children}</p>
          {action !== undefined && <div className={s.actions}>{action}</div>}
        </div>
      </div>
    </div>
  );
}
