import { Part, type PartProps, useTexts } from '@cord/sdk';
import { useEffect } from 'react';
import type { PartEntry } from '../federation/entries';
import { useRegistry, useRegistryState } from '../federation/registry-context';
import { TAB_TEXTS } from '../tabs/texts';
import { LookAgainCard } from './look-again-card';
import { RoomSkeleton } from './part-skeleton';
import { usePartsOf } from './use-part-entry';

/** The places of the shell that modules may name for their parts. */
export type PlaceName =
  | 'app.background'
  | 'header.end'
  | 'dashboard.top'
  | 'dashboard.main'
  | 'dashboard.wide'
  | 'dashboard.view'
  | 'dashboard.cards'
  | 'settings.section';

interface PlaceProps extends PartProps {
  name: PlaceName;
  /** Of its parts the one of this name alone, without its module's. */
  only?: string;
  /** Where it matters most that the parts come: room for one while nobody knows which there are, and a word where nobody can say. */
  main?: { room: PartEntry['room']; name: string };
}

/** A place that modules have parts for; they say which, and in which order. */
export function Place({ name, only, main, ...props }: PlaceProps) {
  const state = useRegistryState();
  const parts = usePartsOf(name);
  if (state.status === 'known') {
    return (
      parts
        .filter((part) => only === undefined || isNamed(part, only))
        // One whose module was switched off, or on again, begins anew.
        .map((part) => <Part key={`${part.name} ${part.off}`} name={part.name} {...props} />)
    );
  }
  if (main === undefined) return null;
  return state.status === 'asking' ? <Awaited room={main.room} /> : <NothingKnown name={main.name} />;
}

/** Whether a part has this name in its module. */
export function isNamed({ name }: Pick<PartEntry, 'name'>, only: string): boolean {
  return name.slice(name.indexOf('/') + 1) === only;
}

function Awaited({ room }: Pick<PartEntry, 'room'>) {
  const registry = useRegistry();
  useEffect(() => registry.lookAgain(0), [registry]);
  return <RoomSkeleton room={room} />;
}

/** Which parts there are did not come. */
function NothingKnown({ name }: { name: string }) {
  const t = useTexts(TAB_TEXTS);
  return <LookAgainCard title={t.failed({ tab: name })} />;
}
