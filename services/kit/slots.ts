/** Runs tasks at most `width` at a time; the others wait in order. */
export interface Slots {
  run<T>(task: () => Promise<T> | T): Promise<T>;
}

export function createSlots(width: number): Slots {
  const waiting: Array<() => void> = [];
  let taken = 0;
  const enter = (): Promise<void> => {
    if (taken < width) {
      taken += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    // The slot goes on to whoever waits first.
    if (next) next();
    else taken -= 1;
  };
  return {
    async run(task) {
      await enter();
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
}
