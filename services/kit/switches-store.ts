import { isDeepStrictEqual } from 'node:util';
import { type SwitchesState, type SwitchSpan, switchesState } from '@cord/contracts/switches';
import type { Connection } from 'mongoose';
import { collection } from './collection.js';

/** The last response about the switches, in the service's own store: a start while auth is away uses it. */
export type SwitchesStore = ReturnType<typeof createSwitchesStore>;

interface KeptDoc {
  _id: string;
  off: string[];
  spans: SwitchSpan[];
}

export const SWITCHES_KEPT = collection<KeptDoc>({ name: 'switches_kept' });

/** Id of the only document. */
const LAST = 'last';

export function createSwitchesStore(store: Connection) {
  const kept = SWITCHES_KEPT.in(store);
  let last: SwitchesState | null = null;
  return {
    /** Returns the last response; null before the first. */
    async read() {
      const { data } = switchesState.safeParse(await kept.findOne({ _id: LAST }));
      last = data ?? null;
      return last;
    },
    /** Stores a response; an unchanged one writes nothing. */
    async write(state: SwitchesState) {
      if (isDeepStrictEqual(state, last)) return;
      await kept.replaceOne({ _id: LAST }, { ...state }, { upsert: true });
      last = state;
    },
  };
}
