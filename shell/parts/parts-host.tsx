import { type Action, type Again, type Parts, useTexts } from '@cord/sdk';
import type { PartName, PartsHost } from '@cord/sdk/host';
import { Card, TabErrorPanel } from '@cord/ui';
import { ownTask } from '../app/scheduling';
import type { PartEntry } from '../federation/entries';
import type { ModuleLoader } from '../federation/load-module';
import { moduleLoader } from '../federation/module-loader';
import type { Registry } from '../federation/registry';
import { theRegistry } from '../federation/the-registry';
import { useTextOf } from '../tabs/tab-list';
import { TAB_TEXTS } from '../tabs/texts';
import { OWN_PARTS } from './own-parts';
import { PartSkeleton } from './part-skeleton';
import { RegistryRetryCard } from './registry-retry-card';
import { hasCard, usePartEntry } from './use-part-entry';

/** Creates the finder of modules' parts; the federation runtime loads with the first one. */
export function createPartsHost(
  loader: Pick<ModuleLoader, 'load' | 'releaseOf'>,
  registry: Pick<Registry, 'state' | 'isOff'>,
): PartsHost {
  const published = () => {
    const state = registry.state.get();
    return state.status === 'known' ? state.published.parts : [];
  };
  const isPublished = (name: string) => published().some((part) => part.name === name);
  const partAt = (place: string) => published().find((part) => part.place === place)?.name;
  return {
    async load(name, options) {
      // Several parts come on screen together; each loads in its own task.
      await ownTask();
      const own = OWN_PARTS[name];
      if (own !== undefined) return own.load();
      const { module, partName } = splitName(name);
      if (registry.isOff(module)) return switchedOff(name);
      const { parts } = await loader.load(module, 'parts', options);
      const found = (parts as Parts | undefined)?.[partName];
      if (found !== undefined) return 'load' in found ? found.load() : found;
      if (isPublished(name)) throw new Error(`${module} has no part ${partName}`);
      // A part that its module does not have yet is not an error of the page.
      return Absent;
    },
    releaseOf(name) {
      if (name in OWN_PARTS) return 'shell';
      const { module } = splitName(name);
      return registry.isOff(module) ? 'off' : loader.releaseOf(module);
    },
    async action(place) {
      const name = partAt(place);
      if (name === undefined) throw new Error(`No module has an action for ${place}`);
      const { module, partName } = splitName(name);
      const { actions } = await loader.load(module, 'parts');
      const found = (actions as Record<string, Action> | undefined)?.[partName];
      if (found === undefined) throw new Error(`${module} has no action ${partName}`);
      return found;
    },
    Skeleton: PartSkeleton,
    Failed: PartFailed,
  };
}

export const partsHost = createPartsHost(moduleLoader, theRegistry);

/** Splits `wallet/badge-card` into mfe_wallet and `badge-card`. */
function splitName(name: string): { module: string; partName: string } {
  const at = name.indexOf('/');
  return { module: `mfe_${name.slice(0, at)}`, partName: name.slice(at + 1) };
}

/** Placeholder of a part whose module is switched off. */
function switchedOff(name: PartName) {
  return () => <PartOff name={name} />;
}

function Absent() {
  return null;
}

/**
 * Shows that a part could not be loaded or threw, in its own place. Parts without a card show nothing, since the page
 * is complete without them.
 */
export function PartFailed({ name, ...again }: { name: PartName } & Again) {
  const part = usePartEntry(name);
  if (part?.room === 'row') return <Failed words={part.words} {...again} />;
  if (part === undefined || !hasCard(part)) return null;
  return (
    <Card>
      <Failed words={part.words} {...again} />
    </Card>
  );
}

/** Shows in places with a card that the module is switched off; others stay empty. */
function PartOff({ name }: { name: PartName }) {
  const part = usePartEntry(name);
  return part && hasCard(part) ? <OffCard words={part.words} /> : null;
}

function OffCard({ words }: Pick<PartEntry, 'words'>) {
  const t = useTexts(TAB_TEXTS);
  return <RegistryRetryCard title={t.off({ tab: useTextOf(words) })} />;
}

function Failed({ words, ...again }: Pick<PartEntry, 'words'> & Again) {
  const t = useTexts(TAB_TEXTS);
  return <TabErrorPanel compact title={t.failed({ tab: useTextOf(words) })} {...again} />;
}
