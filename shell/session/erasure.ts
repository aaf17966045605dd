import type { Sdk } from '@cord/sdk';

type Message = Parameters<Sdk['broadcast']['send']>[0];

/** Under which tabs keep whether the account still is: no query reads it. */
const KEY = 'account';
const ERASED = 'erased';

/** Informs the other tabs that the user's account is erased, ahead of the sign-out that follows from it. */
export function sendErasure({ broadcast }: Pick<Sdk, 'broadcast'>, userId: string): void {
  broadcast.send({ kind: 'known', userId, queryKey: [KEY], data: ERASED });
}

/** Whether a message of another tab shows it. */
export function isErasure(message: Message): boolean {
  return message.kind === 'known' && message.queryKey[0] === KEY && message.data === ERASED;
}
