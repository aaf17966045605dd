import { SESSION_TEXTS } from './texts';

/** "Epoch Beta", whether or not the name says so itself. */
export function epochName(name: string): string {
  return /^epoch\b/i.test(name) ? name : SESSION_TEXTS.get().epoch({ name });
}
