/** What is kept under names, as far as the browser keeps anything. */
export type SafeStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Storage that may be missing, full or refuse (private windows, blocked cookies): then nothing is kept and nothing breaks. */
export function safeStorage(open: () => Storage): SafeStorage {
  const attempt = <T>(use: (storage: Storage) => T, otherwise: T): T => {
    try {
      return use(open());
    } catch {
      return otherwise;
    }
  };
  return {
    getItem: (key) => attempt((storage) => storage.getItem(key), null),
    setItem: (key, value) => attempt((storage) => storage.setItem(key, value), undefined),
    removeItem: (key) => attempt((storage) => storage.removeItem(key), undefined),
  };
}

/** What stays on this device, until the user clears it. */
export const deviceStorage = safeStorage(() => localStorage);
/** What stays as long as this tab of the browser. */
export const tabStorage = safeStorage(() => sessionStorage);
