import type { MiningSession } from '@cord/contracts/http/mining';
import type { UpdatedUser } from '@cord/contracts/http/users';

/** What one tab of this browser tells the others, so that they stay in step. */
export type TabMessage =
  | { kind: 'user'; update: UpdatedUser; asOfMs: number }
  | { kind: 'node'; userId: string; session: MiningSession | null }
  | { kind: 'signed-out' }
  /** The user is just ending the session in this tab, by their own wish. */
  | { kind: 'leaving' }
  /** Server state under this query key has changed. */
  | { kind: 'stale'; queryKey: readonly unknown[] };

export interface Broadcast {
  tell(message: TabMessage): void;
  /** Hears the other tabs, never this one. */
  listen(listener: (message: TabMessage) => void): () => void;
}

const CHANNEL = 'cord';

/** Tabs of one browser share a channel; where there is none, every tab is alone and refetches on focus. */
export function createBroadcast(): Broadcast {
  if (typeof BroadcastChannel === 'undefined') return { tell: () => undefined, listen: () => () => undefined };
  const channel = new BroadcastChannel(CHANNEL);
  return {
    tell: (message) => channel.postMessage(message),
    listen(listener) {
      const hear = (event: MessageEvent<TabMessage>) => listener(event.data);
      channel.addEventListener('message', hear);
      return () => channel.removeEventListener('message', hear);
    },
  };
}
