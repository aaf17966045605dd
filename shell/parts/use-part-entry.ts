import { useSessionValue } from '@cord/sdk';
import type { PartName } from '@cord/sdk/host';
import type { PartEntry, Room } from '../federation/entries';
import { usePublished } from '../federation/registry-context';

/** Returns the registry entry of a part; undefined when no module has it. */
export function usePartEntry(name: PartName): PartEntry | undefined {
  return usePublished().parts.find((part) => part.name === name);
}

/** Returns the parts for this user at a place, in order; the code of others is not loaded. */
export function usePartsOf(place: string): PartEntry[] {
  const { parts } = usePublished();
  const record = useSessionValue(({ user }) => user) as Record<string, unknown> | null;
  return parts.filter((part) => part.place === place && (part.when === null || record?.[part.when] === true));
}

/** Returns a field of the user's record; null when unknown or without a field. */
export function useUserFlag(field: string | null): unknown {
  return useSessionValue(({ user }) => (field === null || user === null ? null : Reflect.get(user, field)));
}

const CARDS: readonly Room[] = ['card', 'ring-card', 'chart-card', 'banner'];

/** Whether a part has its own card. */
export function hasCard({ room }: PartEntry): boolean {
  return CARDS.includes(room);
}
