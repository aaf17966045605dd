import { createStore, type Store, type Toast } from '@cord/sdk';

export interface QueuedToast extends Toast {
  id: number;
}

export interface ToastQueue {
  /** What is on screen, oldest first; never more than MAX_TOASTS. */
  shown: Store<readonly QueuedToast[]>;
  show(toast: Toast): void;
  dismiss(id: number): void;
  /** Holds every countdown: somebody reads, or the page is hidden. */
  pause(): void;
  resume(): void;
}

/** look.md, Toast. */
export const MAX_TOASTS = 3;

interface Countdown {
  remainingMs: number;
  startedMs: number;
  timer: ReturnType<typeof setTimeout> | null;
}

/** Toasts with their countdowns. A fourth one pushes the oldest out. */
export function createToastQueue(now: () => number = () => performance.now()): ToastQueue {
  const shown = createStore<readonly QueuedToast[]>([]);
  const countdowns = new Map<number, Countdown>();
  let paused = false;
  let lastId = 0;

  function run(id: number, countdown: Countdown): void {
    countdown.startedMs = now();
    countdown.timer = setTimeout(() => dismiss(id), countdown.remainingMs);
  }

  function dismiss(id: number): void {
    const countdown = countdowns.get(id);
    if (countdown?.timer) clearTimeout(countdown.timer);
    countdowns.delete(id);
    shown.set(shown.get().filter((toast) => toast.id !== id));
  }

  return {
    shown,
    dismiss,
    show(toast) {
      lastId += 1;
      const id = lastId;
      const countdown: Countdown = { remainingMs: toast.durationMs, startedMs: now(), timer: null };
      countdowns.set(id, countdown);
      const all = [...shown.get(), { ...toast, id }];
      shown.set(all);
      for (const old of all.slice(0, -MAX_TOASTS)) dismiss(old.id);
      if (!paused) run(id, countdown);
    },
    pause() {
      if (paused) return;
      paused = true;
      for (const countdown of countdowns.values()) {
        if (countdown.timer) clearTimeout(countdown.timer);
        countdown.timer = null;
        countdown.remainingMs = Math.max(0, countdown.remainingMs - (now() - countdown.startedMs));
      }
    },
    resume() {
      if (!paused) return;
      paused = false;
      for (const [id, countdown] of countdowns) run(id, countdown);
    },
  };
}
