import type { MiningSession } from '@cord/contracts/http/mining';
import type { UpdatedUser } from '@cord/contracts/http/users';
import type { LiveKind } from '@cord/contracts/live/kinds';
import type { LeadMessage } from './live/lead';

/** What one tab of this browser sends the others, so that they stay in step; each message shows whose it is. */
export type TabMessage = { userId: string } & (
  | { kind: 'user'; update: UpdatedUser; asOfMs: number }
  /** The node, and at which moment it was so, ms by the server's clock. */
  | { kind: 'node'; session: MiningSession | null; asOfMs: number }
  /** This user has just signed in here: whoever shows nobody, or somebody else, looks again. */
  | { kind: 'signed-in' }
  | { kind: 'signed-out' }
  /** The user is just ending the session in this tab, by their own wish. */
  | { kind: 'leaving' }
  /** Server state under this query key has changed. */
  | { kind: 'stale'; queryKey: readonly unknown[] }
  /** The live stream has reported such a change; `all`: it may have missed some of any kind. */
  | { kind: 'event'; of: LiveKind | 'all' }
  /** Server state under this query key is this, as the live stream has just sent. */
  | { kind: 'known'; queryKey: readonly unknown[]; data: unknown }
  | LeadMessage
);

export interface Broadcast {
  send(message: TabMessage): void;
  /** Receives from the other tabs, never from this one. */
  listen(listener: (message: TabMessage) => void): () => void;
}

const CHANNEL = 'cord';
/** Shape of the messages. A tab that was opened a week ago still runs the code of then: each receives its own version only. */
const VERSION = 2;

/** Tabs of one browser share a channel; where there is none, every tab is alone and refetches on focus. */
export function createBroadcast(): Broadcast {
  if (typeof BroadcastChannel === 'undefined') return { send: () => undefined, listen: () => () => undefined };
  const channel = new BroadcastChannel(CHANNEL);
  return {
    send: (message) => channel.postMessage({ v: VERSION, message }),
    listen(listener) {
      const receive = ({ data }: MessageEvent<{ v?: unknown; message: TabMessage } | null>) => {
        if (data?.v === VERSION) listener(data.message);
      };
      channel.addEventListener('message', receive);
      return () => channel.removeEventListener('message', receive);
    },
  };
}
