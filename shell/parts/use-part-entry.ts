import type { PartName } from '@cord/sdk/host';
import type { PartEntry } from '../federation/entries';
import { usePublished } from '../federation/registry-context';

/** What its module says of a part; undefined of one that no module has, or has yet. */
export function usePartEntry(name: PartName): PartEntry | undefined {
  return usePublished().parts.find((part) => part.name === name);
}

/** Whether a part has a card of its own. */
export function hasCard({ room }: PartEntry): boolean {
  return room !== 'button' && room !== 'none';
}
