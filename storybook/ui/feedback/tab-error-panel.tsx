import { RotateCw, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { useShutReason } from '../actions/action-gate';
import { Button } from '../actions/button';
import { cx } from '../class-names';
import { uiText } from '../ui-texts';
import s from './tab-error-panel.module.css';

export interface TabErrorPanelProps {
  /** What failed: "Rankings could not be loaded". */
  title: string;
  /** What is safe and what to do. */
  children?: ReactNode;
  onRetry: () => void;
  retrying?: boolean | undefined;
  /** Another text than "Retry". */
  retryText?: string | undefined;
  /** It failed again after a retry: the button loads the whole page anew. */
  reload?: boolean;
  /** A second way on: a ghost button back to the dashboard. */
  action?: ReactNode;
  /** Inside a card (a part) instead of a whole tab. */
  compact?: boolean | undefined;
}

/** One area failed: icon, what failed, what is safe, Retry. Other tabs keep working. */
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
  // While nothing can be requested, "try again" is no advice.
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
