import { formatWhen, useIsPast, useSdk, useStore, useTexts } from '@cord/sdk';
import { actionGate, VisuallyHidden } from '@cord/ui';
import { CloudOff } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Strip } from '../app/strip';
import s from './connection-strip.module.css';
import { CONNECTION_TEXTS } from './texts';

/** Shows the lease end of the node, past or future; nothing for an idle node. */
function Node() {
  const t = useTexts(CONNECTION_TEXTS);
  const node = useStore(useSdk().session.node);
  const untilMs = (node?.status === 'active' && node.leaseUntil) || null;
  const past = useIsPast(untilMs);
  const time = useWhen(Date.parse(untilMs ?? ''));
  return untilMs && ` ${(past ? t.paused : t.runs)({ time })}`;
}

/** Formats a time in ms; it adds the day when that is another, since the strip may stay for days. */
function useWhen(ms: number): string {
  const { clock, ticker } = useSdk();
  return useSyncExternalStore(ticker.subscribe, () => formatWhen(ms, clock.now()));
}

/** Shows since when the server is unreachable. */
function Since({ lostAtMs }: { lostAtMs: number }) {
  const t = useTexts(CONNECTION_TEXTS);
  const browserOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  const time = useWhen(lostAtMs);
  return <strong>{(browserOnline ? t.unreachable : t.offline)({ time })}</strong>;
}

/**
 * A strip under the header while the server is unreachable: the age of the numbers, and how long the node runs.
 * Meanwhile numbers are marked, and actions that need the server wait. All of it ends by itself.
 */
export function ConnectionStrip() {
  const t = useTexts(CONNECTION_TEXTS);
  const lostAtMs = useStore(useSdk().connection.lostAtMs);
  const lost = lostAtMs !== null;
  const back = useBack() && !lost;
  useEffect(() => {
    document.documentElement.toggleAttribute('data-stale', lost);
    if (lost) actionGate.shut(t.waits);
    else actionGate.open();
    return () => {
      document.documentElement.removeAttribute('data-stale');
      actionGate.open();
    };
  }, [lost, t]);
  return (
    <div role="status" className={s.place} data-testid="connection">
      {lost && (
        <Strip icon={<CloudOff size={16} />}>
          <Since lostAtMs={lostAtMs} /> {t.stale}
          <Node /> {t.actions}
        </Strip>
      )}
      {back && <VisuallyHidden>{t.back}</VisuallyHidden>}
    </div>
  );
}

/** How long the recovery is shown, ms; later it is of no use. */
const BACK_MS = 10_000;

/** Whether the server has just become reachable again. */
function useBack(): boolean {
  const { lostAtMs } = useSdk().connection;
  const [back, setBack] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = lostAtMs.listen((lost) => {
      clearTimeout(timer);
      setBack(lost === null);
      timer = setTimeout(() => setBack(false), BACK_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [lostAtMs]);
  return back;
}

function subscribeOnline(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
