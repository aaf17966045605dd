import { moduleSwitch } from '@cord/contracts/addresses/switches';
import type { Switches } from '@cord/kit/switches';
import type { Releases } from './registry.js';

/**
 * Marks modules that an operator switched off, which pages then show as such. Without any switch all are on.
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
    // The version differs from that of the full registry, so that the change is noticed.
    return {
      ...registry,
      version: `${registry.version} without ${off.join(' ')}`,
      modules: Object.fromEntries(entries),
    };
  };
}
