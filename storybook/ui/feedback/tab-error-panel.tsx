import { RotateCw, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { useShutReason } from '../actions/action-gate';
import { Button } from '../actions/button';
import { cx } from '../class-names';
import { uiText } from '../ui-texts';
import s from './tab-error-panel.module.css';

export interface TabErrorPanelProps {
  /** The failure: "Rankings could not be loaded". */
  title: string;
  /** What is safe, and the next step. */
  children?: ReactNode;
  onRetry: () => void;
  retrying?: boolean | undefined;
  /** Another text than "Retry". */
  retryText?: string | undefined;
  /** It failed again after a retry: the button reloads the whole page. */
  reload?: boolean;
  /** A second action: a ghost button back to the dashboard. */
  action?: ReactNode;
  /** Inside a card (a part) instead of a whole tab. */
  compact?: boolean | undefined;
}

/** The error of one area: icon, failure, what is safe, Retry. Other tabs keep working. */
export function TabErrorPanel({
  title,
  children,
  onRetry,
  retrying = false,
  reload = false,
  retryText = uiText(reload ? 'reload' : 'retry'),
  action,
  compact = false,
}: TabErrorPanelProps) {
  // While the server is unreachable, "try again" is not useful advice.
  const shut = useShutReason(true);
  return (
    <section className={cx(s.panel, compact && s.compact)} data-testid="error-panel">
      <div role="alert" className={s.texts}>
        <Unplug size={24} className="c-danger" />
        <h2 className={s.title}>{title}</h2>
        <p className={s.text}>{children ?? shut ?? uiText('nothingLost')}</p>
      </div>
      <div className={s.actions}>
        <Button
          variant="primary"
          size={compact ? 'sm' : 'md'}
          icon={<RotateCw />}
          needsServer
          loading={retrying}
          loadingText={uiText('retrying')}
          onClick={reload ? () => location.reload() : onRetry}
        >
          {retryText}
        </Button>
        {action}
      </div>
    </section>
  );
}
