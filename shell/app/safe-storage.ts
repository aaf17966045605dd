/** Storage that may be missing or refuse (private windows, blocked cookies): then nothing is kept and nothing breaks. */
export function safeStorage(open: () => Storage): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
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
