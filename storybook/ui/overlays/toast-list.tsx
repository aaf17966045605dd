import { X } from 'lucide-react';
import { Toast } from 'radix-ui';
import { useState } from 'react';
import { type ToastEntry, toasts } from '../triggers/toast';
import { ICONS, useCountdown } from '../triggers/toaster';
import s from '../triggers/toaster.module.css';
import { uiText } from '../ui-texts';

interface ToastListProps {
  entries: readonly ToastEntry[];
  /** Whether their clocks stand still. */
  held: boolean;
}

/** The toasts, held while a pointer or the focus is on one. */
export function ToastList({ entries, held }: ToastListProps) {
  return (
    <Toast.Provider label={uiText('notification')} swipeDirection="right">
      {entries.map((entry) => (
        <ToastCard key={entry.id} entry={entry} held={held} />
      ))}
      <Toast.Viewport className={s.viewport} label={`${uiText('notifications')} ({hotkey})`} />
    </Toast.Provider>
  );
}

interface ToastCardProps {
  entry: ToastEntry;
  held: boolean;
}

function ToastCard({ entry, held }: ToastCardProps) {
  const [paused, setPaused] = useState(false);
  const dismiss = () => toasts.dismiss(entry.id);
  useCountdown(entry, paused || held, dismiss);
  return (
    <Toast.Root
      className={s.toast}
      type={entry.kind === 'error' ? 'foreground' : 'background'}
      // Radix reports when a pointer or the focus is there; the clock is ours, so that a hidden page stops it too.
      duration={Number.POSITIVE_INFINITY}
      onPause={() => setPaused(true)}
      onResume={() => setPaused(false)}
      onOpenChange={(open) => !open && dismiss()}
      data-testid="toast"
    >
      <span className={s.icon}>{ICONS[entry.kind]}</span>
      <div>
        <Toast.Title className="t-strong">{entry.title}</Toast.Title>
        {entry.text !== undefined && <Toast.Description className="t-note">{entry.text}</Toast.Description>}
      </div>
      <Toast.Close className={s.close} aria-label={uiText('close')}>
        <X size={16} />
      </Toast.Close>
    </Toast.Root>
  );
}
