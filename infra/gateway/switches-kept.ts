import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type SwitchesState, switchesState } from '@cord/contracts/switches';
import { jsonIn } from '@cord/kit/json';
import type { SwitchesStore } from '@cord/kit/switches-store';
import { writeWhole } from '@cord/kit/whole-file';

/** Folder of the journals: the only part of the module store that a gateway may write. */
const FOLDER = '.lines';
const FILE = '.switches.json';

/** Keeps the last known switches in the module store: a gateway that starts while auth or NATS is away uses them. */
export function switchesInFile(moduleStore: string): SwitchesStore & { last(): SwitchesState | null } {
  const file = join(moduleStore, FOLDER, FILE);
  let last = readLast(file);
  return {
    last: () => last,
    read: async () => last,
    async write(state) {
      if (isDeepStrictEqual(state, last)) return;
      mkdirSync(join(moduleStore, FOLDER), { recursive: true });
      // Several gateways write the same content.
      await writeWhole(file, JSON.stringify(state), 0o644);
      last = state;
    },
  };
}

/** Returns null when nothing is stored, or the content is invalid. */
function readLast(file: string): SwitchesState | null {
  try {
    return switchesState.parse(jsonIn(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
