import { DELETED_NAME } from '@cord/contracts/texts';
import type { TextsOf } from '@cord/sdk';
import type { TEXTS } from './texts';

/** Returns a name to show; for a deleted account a text in the reader's language. */
export function nameOf(t: TextsOf<typeof TEXTS>, username: string): string {
  return username === DELETED_NAME ? t.deletedUser : username;
}
