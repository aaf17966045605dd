import { CircleAlert, X } from 'lucide-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { IconButton } from '../actions/icon-button';
import { cx } from '../class-names';
import { Row } from '../surfaces/layout';
import { focusIsLost, focusOn } from '../triggers/focus-return';
import { uiText } from '../ui-texts';
import s from './notice.module.css';

export type NoticeTone = 'accent' | 'live' | 'honor' | 'sky' | 'warn' | 'danger' | 'plain';

export interface NoticeProps {
  tone?: NoticeTone | undefined;
  /** A lucide icon (20) in the tile; an inline warning has its own. */
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  /** An error of the last try, under the title; read by screen readers at once. */
  error?: ReactNode;
  /** One button. */
  action?: ReactNode;
  onClose?: (() => void) | undefined;
  closeLabel?: string | undefined;
  /** `banner` is a separate card, `inline` a tinted box inside one. */
  look?: 'banner' | 'inline' | undefined;
  /** Announced by screen readers when it appears (an alert, because a status region that is inserted with its text is silent), for results that replace an offer. It also takes the focus if the replaced element had it. */
  announce?: boolean | undefined;
  testId?: string | undefined;
}

/** A notice: icon tile, text, one button, optional close. Its result replaces it in place. */
export function Notice({
  tone = 'accent',
  look = 'banner',
  icon = look === 'inline' && (tone === 'warn' || tone === 'danger') ? <CircleAlert /> : undefined,
  title,
  children,
  error,
  action,
  onClose,
  closeLabel = uiText('dismiss'),
  announce = false,
  testId,
}: NoticeProps) {
  const hasError = error !== undefined && error !== null && error !== '';
  const own = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (announce && own.current !== null && focusIsLost()) focusOn(own.current);
  }, [announce]);
  return (
    <div
      ref={own}
      className={cx(s.notice, s[look])}
      data-tone={tone}
      role={announce ? 'alert' : undefined}
      data-testid={testId}
    >
      {icon !== undefined && (
        <span className={s.tile} aria-hidden="true">
          {icon}
        </span>
      )}
      <div className={s.texts}>
        <p className="t-strong">{title}</p>
        {!hasError && children !== undefined && <div className="t-note">{children}</div>}
        <div role="alert">
          {hasError && (
            <Row as="p" gap={6} className="t-small t-icon c-danger">
              <CircleAlert size={16} />
              <span>{error}</span>
            </Row>
          )}
        </div>
      </div>
      {action !== undefined && <div className={s.action}>{action}</div>}
      {onClose && <IconButton className={s.close} label={closeLabel} icon={<X />} onClick={onClose} />}
    </div>
  );
}
