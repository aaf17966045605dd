import { isDeepStrictEqual } from 'node:util';
import { type SwitchesState, type SwitchSpan, switchesState } from '@cord/contracts/switches';
import type { Connection } from 'mongoose';
import { collection } from './collection.js';

/** The last answer about the switches, in the service's own store: a start while auth is away goes on from it. */
export type KeptSwitches = ReturnType<typeof keptSwitches>;

interface KeptDoc {
  _id: string;
  off: string[];
  spans: SwitchSpan[];
}

export const SWITCHES_KEPT = collection<KeptDoc>({ name: 'switches_kept' });

/** Id of the only document. */
const LAST = 'last';

export function keptSwitches(store: Connection) {
  const kept = SWITCHES_KEPT.in(store);
  let last: SwitchesState | null = null;
  return {
    /** Null before the first answer. */
    async read() {
      const { data } = switchesState.safeParse(await kept.findOne({ _id: LAST }));
      last = data ?? null;
      return last;
    },
    /** Keeps an answer; the same one again writes nothing. */
    async write(state: SwitchesState) {
      if (isDeepStrictEqual(state, last)) return;
      await kept.replaceOne({ _id: LAST }, { ...state }, { upsert: true });
      last = state;
    },
  };
}
