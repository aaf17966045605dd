import { inCaretRange } from '@cord/build/caret-range.mjs';
import { ModuleLoadError } from './load-errors';

/** One published build of a module. */
export interface Release {
  version: string;
  /** Address of its mf-manifest.json. */
  entry: string;
  /** The sdk versions it works with, as a caret range. */
  sdk: string;
  /** Likewise those of the design system; registries of release 1.0.0 did not say. */
  ui?: string;
}

interface ModuleEntry extends Release {
  /** A release that a share (0 to 1) of the browsers gets instead, with its own facts. */
  canary?: Release & { share: number };
}

export interface Registry {
  /** @throws ModuleLoadError 'registry', 'unknown' or 'incompatible' */
  find(module: string, options: { fresh: boolean }): Promise<Release>;
  /** What the registry named for this browser when it was last read; null where nothing, or nothing that works with this shell. */
  latest(module: string): Release | null;
  /** Reads it again in the background, unless that was done within the last `maxAgeMs`; a failure leaves what is known. */
  lookAgain(maxAgeMs: number): void;
}

interface RegistryDeps {
  fetch: typeof fetch;
  /** What this shell carries. */
  versions: { sdk: string; ui: string };
  /** This browser's place in the draw for a module, 0 to 1: it stays in or out of a canary. */
  lotOf: (module: string) => number;
  /** ms */
  now?: () => number;
}

const TIMEOUT_MS = 8_000;

/** /remotes.json, fetched once and again on request; one request at a time however many ask. */
export function createRegistry({ fetch, versions, lotOf, now = Date.now }: RegistryDeps): Registry {
  let loaded: Promise<Record<string, ModuleEntry>> | null = null;
  let asking = false;
  let known: Record<string, ModuleEntry> | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;

  async function read(module: string): Promise<Record<string, ModuleEntry>> {
    readAtMs = now();
    known = await fetchRegistry(fetch, module);
    return known;
  }

  function load(module: string): Promise<Record<string, ModuleEntry>> {
    asking = true;
    const loading = read(module).finally(() => {
      asking = false;
    });
    loaded = loading;
    loading.catch(() => {
      loaded = null;
    });
    return loading;
  }

  function releaseIn(modules: Record<string, ModuleEntry>, module: string): Release {
    const named = modules[module];
    if (named === undefined) throw new ModuleLoadError(module, 'unknown', 'not in /remotes.json');
    const { canary, ...entry } = named;
    // A canary that wants what this shell has not yet is for other pages.
    if (canary && lotOf(module) < canary.share && unfit(canary) === undefined) return canary;
    const reason = unfit(entry);
    if (reason !== undefined) throw new ModuleLoadError(module, 'incompatible', reason);
    return entry;
  }

  /** What a release wants that this shell has not; undefined where it has all. */
  function unfit(release: Release): string | undefined {
    const what = (['sdk', 'ui'] as const).find(
      (each) => !inCaretRange(versions[each], release[each] ?? versions[each]),
    );
    return what && `wants ${what} ${release[what]}, here is ${versions[what]}`;
  }

  return {
    async find(module, { fresh }) {
      return releaseIn(await (loaded && (asking || !fresh) ? loaded : load(module)), module);
    },
    latest(module) {
      try {
        return known && releaseIn(known, module);
      } catch {
        return null;
      }
    },
    lookAgain(maxAgeMs) {
      if (loaded === null || asking || now() - readAtMs < maxAgeMs) return;
      read('registry').then(
        (modules) => {
          loaded = Promise.resolve(modules);
        },
        () => undefined,
      );
    },
  };
}

async function fetchRegistry(send: typeof fetch, module: string): Promise<Record<string, ModuleEntry>> {
  const fail = (detail: string, cause?: unknown) => new ModuleLoadError(module, 'registry', detail, cause);
  const response = await send('/remotes.json', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    (cause: unknown) => {
      throw fail('/remotes.json did not come', cause);
    },
  );
  if (!response.ok) throw fail(`/remotes.json answered ${response.status}`);
  const body: unknown = await response.json().catch((cause: unknown) => {
    throw fail('/remotes.json is not JSON', cause);
  });
  const modules = (body as { modules?: unknown } | null)?.modules;
  if (typeof modules !== 'object' || modules === null) throw fail('/remotes.json is not a registry');
  // A bad entry is as if it were not there: it breaks its own module only.
  return Object.fromEntries(
    Object.entries(modules).filter((named): named is [string, ModuleEntry] => isModuleEntry(named[1])),
  );
}

function isModuleEntry(entry: unknown): entry is ModuleEntry {
  if (!isRelease(entry)) return false;
  const { canary } = entry as { canary?: unknown };
  return canary === undefined || (isRelease(canary) && typeof (canary as { share?: unknown }).share === 'number');
}

function isRelease(entry: unknown): entry is Release {
  if (typeof entry !== 'object' || entry === null) return false;
  const { version, entry: address, sdk } = entry as Record<string, unknown>;
  return typeof version === 'string' && typeof address === 'string' && typeof sdk === 'string';
}
