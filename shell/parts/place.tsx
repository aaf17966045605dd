import { Part, type PartProps, useTexts } from '@cord/sdk';
import { type ReactNode, useEffect } from 'react';
import type { PartEntry, Room } from '../federation/entries';
import { useRegistry, useRegistryState } from '../federation/registry-context';
import { TAB_TEXTS } from '../tabs/texts';
import { RoomSkeleton } from './part-skeleton';
import { RegistryRetryCard } from './registry-retry-card';
import { usePartsOf } from './use-part-entry';

/** Places of the shell for modules' parts. */
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
  /** Name of the only part to show, without its module. */
  only?: string;
  /** Module of the parts to show, by its registry name. */
  of?: string;
  /** Rendered in place of missing or loading parts; by default a skeleton, and a message after a failure. */
  instead?: ReactNode;
  /** For essential places: a skeleton while the registry is loading, and a message when it fails. */
  main?: { room: Room; name: string };
}

/** A place for modules' parts; modules declare which and in which order. */
export function Place({ name, only, of, instead, main, ...props }: PlaceProps) {
  const state = useRegistryState();
  const parts = usePartsOf(name);
  if (state.status === 'known') {
    const shown = parts.filter(
      (part) => (only === undefined || isNamed(part, only)) && (of === undefined || isOf(part, of)),
    );
    if (shown.length === 0) return instead;
    // A part whose module was switched off or on mounts again.
    return shown.map((part) => <Part key={`${part.name} ${part.off}`} name={part.name} instead={instead} {...props} />);
  }
  if (instead !== undefined) return instead;
  if (main === undefined) return null;
  return state.status === 'loading' ? <Awaited room={main.room} /> : <PartsUnavailable name={main.name} />;
}

/** Whether a part has this name in its module. */
export function isNamed({ name }: Pick<PartEntry, 'name'>, only: string): boolean {
  return name.slice(name.indexOf('/') + 1) === only;
}

/** Whether a part belongs to this module, `mfe_tasks`. */
function isOf({ name }: Pick<PartEntry, 'name'>, module: string): boolean {
  return module === `mfe_${name.slice(0, name.indexOf('/'))}`;
}

function Awaited({ room }: { room: Room }) {
  const registry = useRegistry();
  useEffect(() => registry.refresh(0), [registry]);
  return <RoomSkeleton room={room} />;
}

/** The list of parts did not load. */
function PartsUnavailable({ name }: { name: string }) {
  const t = useTexts(TAB_TEXTS);
  return <RegistryRetryCard title={t.failed({ tab: name })} />;
}
