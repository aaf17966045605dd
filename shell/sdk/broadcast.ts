import type { MiningSession } from '@cord/contracts/http/mining';
import type { UpdatedUser } from '@cord/contracts/http/users';
import type { LiveKind } from '@cord/contracts/live/kinds';
import type { LeadMessage } from './live/lead';

/** A message between the tabs of one browser that keeps them in sync; `userId` is the user it belongs to. */
export type TabMessage = { userId: string } & (
  | { kind: 'user'; update: UpdatedUser; asOfMs: number }
  /** State of the node, and the time of that state, ms by the server's clock. */
  | { kind: 'node'; session: MiningSession | null; asOfMs: number }
  /** This user has just signed in; a tab that shows nobody or another user checks its session. */
  | { kind: 'signed-in' }
  | { kind: 'signed-out' }
  /** The user is signing out in this tab. */
  | { kind: 'leaving' }
  /** Server state under this query key is stale. */
  | { kind: 'stale'; queryKey: readonly unknown[] }
  /** The live stream has reported a change of this kind; `all`: changes of any kind may have been missed. */
  | { kind: 'event'; of: LiveKind | 'all' }
  /** New server state under this query key. */
  | { kind: 'known'; queryKey: readonly unknown[]; data: unknown }
  | LeadMessage
);

export interface Broadcast {
  send(message: TabMessage): void;
  /** Receives messages of the other tabs, never of this one. */
  listen(listener: (message: TabMessage) => void): () => void;
}

const CHANNEL = 'cord';
/** Version of the message format. A tab opened a week ago runs older code, so each tab accepts its own version only. */
const VERSION = 2;

/** Opens the channel between the tabs of one browser. Without BroadcastChannel each tab works alone and refetches on focus. */
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
