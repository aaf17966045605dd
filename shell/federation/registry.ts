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
  /** A release that a share (0 to 1) of the browsers gets instead. */
  canary?: { version: string; entry: string; share: number };
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
  /** This browser's place among all, 0 to 1: it stays in or out of a canary. */
  lot: number;
  /** ms */
  now?: () => number;
}

const TIMEOUT_MS = 8_000;

/** /remotes.json, fetched once and again on request; one request at a time however many ask. */
export function createRegistry({ fetch, versions, lot, now = Date.now }: RegistryDeps): Registry {
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
    const entry = modules[module];
    if (entry === undefined) throw new ModuleLoadError(module, 'unknown', 'not in /remotes.json');
    for (const what of ['sdk', 'ui'] as const) {
      const wanted = entry[what];
      if (wanted === undefined || inCaretRange(versions[what], wanted)) continue;
      throw new ModuleLoadError(module, 'incompatible', `wants ${what} ${wanted}, here is ${versions[what]}`);
    }
    const { canary } = entry;
    return canary && lot < canary.share ? { version: canary.version, entry: canary.entry, sdk: entry.sdk } : entry;
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
  if (typeof entry !== 'object' || entry === null) return false;
  const { version, entry: address, sdk } = entry as Record<string, unknown>;
  return typeof version === 'string' && typeof address === 'string' && typeof sdk === 'string';
}
