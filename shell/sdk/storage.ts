/** Storage that keeps values as far as the browser allows. */
export type SafeStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Keys of all personal data in this browser, of every module. Sign-out deletes them, since the next user may be another person. */
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
 * Wraps storage that may be missing, full or blocked (private windows, cookies). It never throws; refused values last
 * as long as the page.
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
      // A page that closes after sign-out would leave personal data behind.
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

/** Storage of this device, until the user clears it; personal keys until sign-out. */
export const deviceStorage = safeStorage(() => localStorage);
/** Storage of this browser tab. */
export const tabStorage = safeStorage(() => sessionStorage);

/** Deletes all personal data and blocks new data until the next sign-in. */
export function forgetPerson(): void {
  hasLeft = true;
  for (const key of PERSONAL_KEYS) for (const storage of [deviceStorage, tabStorage]) storage.removeItem(key);
}

/** Allows personal data again after a sign-in. */
export function welcomePerson(): void {
  hasLeft = false;
}
