import { useSessionValue } from '@cord/sdk';
import type { PartName } from '@cord/sdk/host';
import type { PartEntry, Room } from '../federation/entries';
import { usePublished } from '../federation/registry-context';

/** What its module shows of a part; undefined of one that no module has, or has yet. */
export function usePartEntry(name: PartName): PartEntry | undefined {
  return usePublished().parts.find((part) => part.name === name);
}

/** The parts that are for this user at a place, in order; the code of others is not even fetched. */
export function usePartsOf(place: string): PartEntry[] {
  const { parts } = usePublished();
  const record = useSessionValue(({ user }) => user) as Record<string, unknown> | null;
  return parts.filter((part) => part.place === place && (part.when === null || record?.[part.when] === true));
}

/** The value of a field of the user's record; null where it is not known, and for no field. */
export function useUserFlag(field: string | null): unknown {
  return useSessionValue(({ user }) => (field === null || user === null ? null : Reflect.get(user, field)));
}

const CARDS: readonly Room[] = ['card', 'ring-card', 'chart-card', 'banner'];

/** Whether a part has a card of its own. */
export function hasCard({ room }: PartEntry): boolean {
  return CARDS.includes(room);
}
