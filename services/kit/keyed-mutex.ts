/** Runs work per key in sequence, within this process; idle keys take no memory. */
export function createKeyedMutex() {
  const lines = new Map<string, { tail: Promise<unknown>; waiting: number }>();
  return {
    /** Runs after all earlier work of the key, whether it failed or not. @throws what the work throws */
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
    /** Returns how many works of the key run or wait. */
    waiting: (key: string) => lines.get(key)?.waiting ?? 0,
  };
}
