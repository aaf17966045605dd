import { bareEpochName } from '@cord/contracts/rules/epochs';
import { SESSION_TEXTS } from './texts';

/** "Epoch Beta", whether or not the name shows it itself, in the reader's language. */
export function epochName(name: string): string {
  return SESSION_TEXTS.get().epoch({ name: bareEpochName(name) });
}
