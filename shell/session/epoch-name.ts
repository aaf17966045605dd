import { bareEpochName } from '@cord/contracts/rules/epochs';
import { SESSION_TEXTS } from './texts';

/** Returns "Epoch Beta" in the reader's language, whether or not the name contains the prefix. */
export function epochName(name: string): string {
  return SESSION_TEXTS.get().epoch({ name: bareEpochName(name) });
}
