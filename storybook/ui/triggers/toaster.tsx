import { CircleCheck, CircleX, Info, TriangleAlert, X } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { uiText } from '../ui-texts';
import { useOverlays } from './on-demand';
import { type Toast, type ToastEntry, toasts } from './toast';
import s from './toaster.module.css';

export const ICONS: Record<Toast['kind'], ReactNode> = {
  success: <CircleCheck size={20} className="c-live" />,
  info: <Info size={20} className="c-sky" />,
  warning: <TriangleAlert size={20} className="c-warn" />,
  error: <CircleX size={20} className="c-danger" />,
};

/**
 * Renders toasts: top right below the header, above the bottom bar on phones. Once per page. Hover, focus and a
 * hidden page pause their timers; errors are assertive, others polite.
 */
export function Toaster() {
  const entries = useSyncExternalStore(toasts.subscribe, toasts.read, toasts.read);
  const hidden = usePageHidden();
  const [plain, setPlain] = useState(false);
  // A failed load is retried with the next message; no message is lost meanwhile.
  const List = useOverlays(entries.length > 0, () => setPlain(true))?.ToastList;
  if (List === undefined) {
    if (!plain) return null;
    return (
      <section className={s.viewport} aria-label={uiText('notifications')}>
        {entries.map((entry) => (
          <PlainToast key={entry.id} entry={entry} held={hidden} />
        ))}
      </section>
    );
  }
  return <List entries={entries} held={hidden} />;
}

/** A plain message, if the code of toasts is missing: it is shown, announced and closed, but cannot be swiped or held. */
function PlainToast({ entry, held }: { entry: ToastEntry; held: boolean }) {
  const dismiss = () => toasts.dismiss(entry.id);
  useCountdown(entry, held, dismiss);
  return (
    <div className={s.toast} role={entry.kind === 'error' ? 'alert' : 'status'} data-testid="toast">
      <span className={s.icon}>{ICONS[entry.kind]}</span>
      <div>
        <p className="t-strong">{entry.title}</p>
        {entry.text !== undefined && <div className="t-note">{entry.text}</div>}
      </div>
      <button type="button" className={s.close} aria-label={uiText('close')} onClick={dismiss}>
        <X size={16} />
      </button>
    </div>
  );
}

/** Calls `onEnd` when the entry has been shown for its time; a pause keeps the remaining time. A replaced entry restarts. */
export function useCountdown(entry: ToastEntry, paused: boolean, onEnd: () => void) {
  const left = useRef({ entry, ms: entry.durationMs });
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (left.current.entry !== entry) left.current = { entry, ms: entry.durationMs };
    if (paused) return;
    const startedMs = Date.now();
    const timer = setTimeout(end, left.current.ms);
    return () => {
      clearTimeout(timer);
      left.current.ms = Math.max(0, left.current.ms - (Date.now() - startedMs));
    };
  }, [entry, paused]);
}

function usePageHidden(): boolean {
  return useSyncExternalStore(
    subscribeVisibility,
    () => document.visibilityState === 'hidden',
    () => false,
  );
}

function subscribeVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
