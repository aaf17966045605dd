import { Part, type PartProps, useTexts } from '@cord/sdk';
import { type ReactNode, useEffect } from 'react';
import type { PartEntry, Room } from '../federation/entries';
import { useRegistry, useRegistryState } from '../federation/registry-context';
import { TAB_TEXTS } from '../tabs/texts';
import { LookAgainCard } from './look-again-card';
import { RoomSkeleton } from './part-skeleton';
import { usePartsOf } from './use-part-entry';

/** The places of the shell that modules may name for their parts. */
export type PlaceName =
  | 'app.background'
  | 'app.quiet'
  | 'header.end'
  | 'tab.aside'
  | 'welcome.actions'
  | 'dashboard.away'
  | 'dashboard.waiting'
  | 'dashboard.top'
  | 'dashboard.main'
  | 'dashboard.wide'
  | 'dashboard.view'
  | 'dashboard.cards'
  | 'settings.section'
  | 'settings.profile'
  | 'settings.security'
  | 'settings.data'
  | `ledger.${string}`;

interface PlaceProps extends PartProps {
  name: PlaceName;
  /** Of its parts the one of this name alone, without its module's. */
  only?: string;
  /** Of its parts those of this module alone, by its name in the registry. */
  of?: string;
  /** What stands here in the place of a part that is not there, or not yet; by default room for it, and what shows that it failed. */
  instead?: ReactNode;
  /** Where it matters most that the parts come: room for one while nobody knows which there are, and a message where it is unknown. */
  main?: { room: Room; name: string };
}

/** A place that modules have parts for; they show which, and in which order. */
export function Place({ name, only, of, instead, main, ...props }: PlaceProps) {
  const state = useRegistryState();
  const parts = usePartsOf(name);
  if (state.status === 'known') {
    const shown = parts.filter(
      (part) => (only === undefined || isNamed(part, only)) && (of === undefined || isOf(part, of)),
    );
    if (shown.length === 0) return instead;
    // One whose module was switched off, or on again, begins anew.
    return shown.map((part) => <Part key={`${part.name} ${part.off}`} name={part.name} instead={instead} {...props} />);
  }
  if (instead !== undefined) return instead;
  if (main === undefined) return null;
  return state.status === 'loading' ? <Awaited room={main.room} /> : <NothingKnown name={main.name} />;
}

/** Whether a part has this name in its module. */
export function isNamed({ name }: Pick<PartEntry, 'name'>, only: string): boolean {
  return name.slice(name.indexOf('/') + 1) === only;
}

/** Whether a part is one of this module, `mfe_tasks`. */
function isOf({ name }: Pick<PartEntry, 'name'>, module: string): boolean {
  return module === `mfe_${name.slice(0, name.indexOf('/'))}`;
}

function Awaited({ room }: { room: Room }) {
  const registry = useRegistry();
  useEffect(() => registry.lookAgain(0), [registry]);
  return <RoomSkeleton room={room} />;
}

/** Which parts there are did not come. */
function NothingKnown({ name }: { name: string }) {
  const t = useTexts(TAB_TEXTS);
  return <LookAgainCard title={t.failed({ tab: name })} />;
}
