import type { Action, PartProps } from '@cord/sdk';
import { PART_NAMES, type PartModule, type PartsHost } from '@cord/sdk/host';
import type { ComponentType } from 'react';
import { ownTask } from '../app/scheduling';
import { PartFailed } from './part-failed';
import { PartSkeleton } from './part-skeleton';

type Parts = Record<string, ComponentType<PartProps>>;

/** How modules' parts are found; the federation runtime comes with the first one. */
export const partsHost: PartsHost = {
  async load(module, options) {
    // The places of several parts come on screen together; each fetches in a task of its own.
    await ownTask();
    const exposed = await exposedBy(module, options);
    return withAbsentParts(module, (exposed.parts ?? {}) as Parts);
  },
  async action(name) {
    const [module, action] = name.split('/') as [PartModule, string];
    const { actions } = await exposedBy(module);
    const found = (actions as Record<string, Action> | undefined)?.[action];
    if (found === undefined) throw new Error(`Module ${module} has no action ${action}`);
    return found;
  },
  Skeleton: PartSkeleton,
  Failed: PartFailed,
};

async function exposedBy(module: PartModule, options?: { fresh: boolean }) {
  const { moduleLoader } = await import(/* webpackChunkName: 'module-loader' */ '../federation/module-loader');
  return moduleLoader.load(`mfe_${module}`, 'parts', options);
}

/** A part that a module does not have yet shows nothing: it is not an error of the page that has a place for it. */
export function withAbsentParts(module: PartModule, parts: Parts): Parts {
  const names = PART_NAMES.filter((name) => name.startsWith(`${module}/`)).map((name) => name.slice(module.length + 1));
  return { ...Object.fromEntries(names.map((name) => [name, Absent])), ...parts };
}

function Absent() {
  return null;
}
