/** What is kept under names, as far as the browser keeps anything. */
export type SafeStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

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

/** What stays on this device, until the user clears it. */
export const deviceStorage = safeStorage(() => localStorage);
/** What stays as long as this tab of the browser. */
export const tabStorage = safeStorage(() => sessionStorage);
