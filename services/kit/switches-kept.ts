import { isDeepStrictEqual } from 'node:util';
import { type SwitchesTold, type SwitchSpan, switchesTold } from '@cord/contracts/switches';
import type { Connection } from 'mongoose';
import { collection } from './collection.js';

/** The last answer about the switches, in the service's own store: a start while auth is away goes on from it. */
export interface KeptSwitches {
  /** Null before the first answer. */
  read(): Promise<SwitchesTold | null>;
  /** Keeps an answer; the same one again writes nothing. */
  write(told: SwitchesTold): Promise<void>;
}

interface KeptDoc {
  _id: string;
  off: string[];
  spans?: SwitchSpan[] | undefined;
}

export const SWITCHES_KEPT = collection<KeptDoc>({ name: 'switches_kept' });

/** Id of the only document. */
const LAST = 'last';

export function keptSwitches(store: Connection): KeptSwitches {
  const kept = SWITCHES_KEPT.in(store);
  let last: SwitchesTold | null = null;
  return {
    async read() {
      const { data } = switchesTold.safeParse(await kept.findOne({ _id: LAST }));
      last = data ?? null;
      return last;
    },
    async write(told) {
      if (isDeepStrictEqual(told, last)) return;
      await kept.replaceOne({ _id: LAST }, { ...told }, { upsert: true });
      last = told;
    },
  };
}
