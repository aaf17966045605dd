/** What is kept under names, as far as the browser keeps anything. */
export type SafeStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Whatever this browser keeps of a person, of every module: it goes when they sign out, for the next one may be somebody else. */
export const PERSONAL_KEYS: readonly string[] = [
  'cord.language',
  'cord.theme-of-account',
  'cord.last-seen',
  'cord.rank-seen',
  'cord.drafts',
  'cord.scroll',
  'cord.ledger-own',
  'cord.wallet',
  'cord.wallet.authorization',
];

let hasLeft = false;

/**
 * Storage that may be missing, full or refuse (private windows, blocked cookies): then nothing breaks, and what is kept lasts as
 * long as the page.
 */
export function safeStorage(open: () => Storage): SafeStorage {
  const refused = new Map<string, string>();
  const attempt = <T>(use: (storage: Storage) => T, otherwise: () => T): T => {
    try {
      return use(open());
    } catch {
      return otherwise();
    }
  };
  return {
    getItem: (key) =>
      refused.get(key) ??
      attempt(
        (storage) => storage.getItem(key),
        () => null,
      ),
    setItem(key, value) {
      // A page that goes after its user would leave something of them behind.
      if (hasLeft && PERSONAL_KEYS.includes(key)) return;
      refused.delete(key);
      attempt(
        (storage) => storage.setItem(key, value),
        () => void refused.set(key, value),
      );
    },
    removeItem(key) {
      refused.delete(key);
      attempt(
        (storage) => storage.removeItem(key),
        () => undefined,
      );
    },
  };
}

/** What stays on this device, until the user clears it; what is personal until they sign out. */
export const deviceStorage = safeStorage(() => localStorage);
/** What stays as long as this tab of the browser. */
export const tabStorage = safeStorage(() => sessionStorage);

/** The person has left: nothing of them stays, and nothing more is kept until somebody signs in. */
export function forgetPerson(): void {
  hasLeft = true;
  for (const key of PERSONAL_KEYS) for (const storage of [deviceStorage, tabStorage]) storage.removeItem(key);
}

/** Somebody is signed in. */
export function welcomePerson(): void {
  hasLeft = false;
}
