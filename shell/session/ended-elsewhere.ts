import type { Sdk } from '@cord/sdk';
import type { Ended } from '../app/create-shell';

type Message = Parameters<Sdk['broadcast']['send']>[0];

/** Message key of the end of a session; no query uses it. */
const KEY = 'account';

/** Sends the end of the session to the other tabs, unless it was a plain sign-out. */
export function sendEnd({ broadcast }: Pick<Sdk, 'broadcast'>, userId: string, end: Ended): void {
  broadcast.send({ kind: 'known', userId, queryKey: [KEY], data: end });
}

/** Returns the end of the session from another tab's message, or null. */
export function endOf(message: Message): Ended | null {
  return message.kind === 'known' && message.queryKey[0] === KEY ? (message.data as Ended) : null;
}
