/** Runs work of one key one after the other, within this process; nothing is kept of a key whose work is done. */
export function createKeyedMutex() {
  const lines = new Map<string, { tail: Promise<unknown>; waiting: number }>();
  return {
    /** Runs when all earlier work of the key is done, whether it failed or not. @throws what the work throws */
    async run<R>(key: string, work: () => Promise<R>) {
      const line = lines.get(key) ?? { tail: Promise.resolve(), waiting: 0 };
      lines.set(key, line);
      line.waiting += 1;
      const turn = line.tail.then(work, work);
      line.tail = turn;
      try {
        return await turn;
      } finally {
        line.waiting -= 1;
        if (line.waiting === 0) lines.delete(key);
      }
    },
    /** How much work of the key runs or waits. */
    waiting: (key: string) => lines.get(key)?.waiting ?? 0,
  };
}
