import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type SwitchesState, switchesState } from '@cord/contracts/switches';
import { jsonIn } from '@cord/kit/json';
import type { KeptSwitches } from '@cord/kit/switches-kept';
import { writeWhole } from '@cord/kit/whole-file';

/** Beside the journals, the one part of the module store that a gateway may write to. */
const FOLDER = '.lines';
const FILE = '.switches.json';

/** The last answer about the switches, in the module store: a gateway that starts while auth or NATS is away goes on from it. */
export function switchesInFile(moduleStore: string): KeptSwitches & { last(): SwitchesState | null } {
  const file = join(moduleStore, FOLDER, FILE);
  let last = readLast(file);
  return {
    last: () => last,
    read: async () => last,
    async write(state) {
      if (isDeepStrictEqual(state, last)) return;
      mkdirSync(join(moduleStore, FOLDER), { recursive: true });
      // Several gateways write the same.
      await writeWhole(file, JSON.stringify(state), 0o644);
      last = state;
    },
  };
}

/** Null where nothing was kept, or what is there is none of ours. */
function readLast(file: string): SwitchesState | null {
  try {
    return switchesState.parse(jsonIn(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
