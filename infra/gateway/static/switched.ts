import { moduleSwitch } from '@cord/contracts/addresses/switches';
import type { Switches } from '@cord/kit/switches';
import type { Releases } from './registry.js';

/**
 * What is published, with a mark at each module that an operator has switched off: pages show that in its place. While nobody has
 * switched anything all are on.
 * @param switches null while nothing is known of them
 */
export function withSwitches(releases: Releases, switches: () => Pick<Switches, 'isOn'> | null): Releases {
  return async () => {
    const registry = await releases();
    const held = switches();
    if (held === null) return registry;
    const entries = await Promise.all(
      Object.entries(registry.modules).map(async ([name, entry]) => {
        return [name, (await held.isOn(moduleSwitch(name))) ? entry : { ...entry, off: true as const }] as const;
      }),
    );
    const off = entries.filter(([, entry]) => entry.off).map(([name]) => name);
    if (off.length === 0) return registry;
    // Another registry than the one with all of them on, for whoever looks whether something has changed.
    return {
      ...registry,
      version: `${registry.version} without ${off.join(' ')}`,
      modules: Object.fromEntries(entries),
    };
  };
}
