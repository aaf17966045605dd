import type { Sdk } from '@cord/sdk';
import type { Ended } from '../app/create-shell';

type Message = Parameters<Sdk['broadcast']['send']>[0];

/** Under which tabs keep how the session ended: no query reads it. */
const KEY = 'account';

/** Informs the other tabs how the user's session ended, if it was no plain sign-out. */
export function sendEnd({ broadcast }: Pick<Sdk, 'broadcast'>, userId: string, end: Ended): void {
  broadcast.send({ kind: 'known', userId, queryKey: [KEY], data: end });
}

/** How the session ended in another tab, if a message of it shows that. */
export function endOf(message: Message): Ended | null {
  return message.kind === 'known' && message.queryKey[0] === KEY ? (message.data as Ended) : null;
}
