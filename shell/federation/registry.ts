import { inCaretRange } from '@cord/build/caret-range.ts';
import { createStore, type Store } from '@cord/sdk';
import { byOrder, type Canary, type Published, publishedIn, type Release } from './entries';
import { ModuleLoadError } from './load-errors';

/** Published modules as far as this page knows. */
export type RegistryState =
  | { status: 'known'; published: Published }
  | { status: 'loading' }
  /** Nothing is known, and the last read failed. */
  | { status: 'failed' };

export interface Registry {
  state: Store<RegistryState>;
  /** @throws ModuleLoadError 'registry', 'unknown' or 'incompatible' */
  find(module: string, options: { fresh: boolean }): Promise<Release>;
  /** Returns the release last registered for this browser; null when there is none or it is incompatible. */
  latest(module: string): Release | null;
  /** Whether an operator has switched the module off, as far as known. */
  isOff(module: string): boolean;
  /**
   * Reads the registry in the background, unless a read started within `maxAgeMs`; a failure keeps the known state.
   * If a read is in progress, another one follows, since the first may be too old.
   */
  refresh(maxAgeMs: number): void;
}

interface RegistryDeps {
  fetch: typeof fetch;
  /** Versions of this shell. */
  versions: { sdk: string; ui: string };
  /** This browser's lot for a module, 0 to 1; it is stable, so the browser stays in or out of a canary. */
  lotOf: (module: string) => number;
  /** /remotes.json as embedded in the page by infra/gateway. */
  inPage?: unknown;
  /** Monotonic clock, ms; a wall clock set back would delay the next read by that time. */
  now?: () => number;
}

const TIMEOUT_MS = 8_000;
const sinceStart = () => performance.now();

/** Creates the registry from /remotes.json: embedded in the page or fetched once, again on request, one request at a time. */
export function createRegistry({ fetch, versions, lotOf, inPage, now = sinceStart }: RegistryDeps): Registry {
  const here = publishedIn(inPage, isForHere);
  const state = createStore<RegistryState>(here ? { status: 'known', published: here } : { status: 'loading' });
  let readAtMs = here ? now() : Number.NEGATIVE_INFINITY;
  let reading: Promise<Published> | null = null;
  /** Whether a caller waits for the read; a background read with an unchanged result changes nothing. */
  let awaited = false;
  /** Whether another read follows the current one. */
  let again = false;

  async function fetchRegistry(): Promise<Published> {
    const fail = (detail: string, cause?: unknown) => new RegistryError(detail, { cause });
    const response = await fetch('/remotes.json', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
      (cause: unknown) => {
        throw fail('/remotes.json did not come', cause);
      },
    );
    if (!response.ok) throw fail(`/remotes.json answered ${response.status}`);
    const body: unknown = await response.json().catch((cause: unknown) => {
      throw fail('/remotes.json is not JSON', cause);
    });
    const published = publishedIn(body, isForHere);
    if (published === null) throw fail('/remotes.json is not a registry');
    return published;
  }

  function known(): Published | null {
    const at = state.get();
    return at.status === 'known' ? at.published : null;
  }

  async function read(): Promise<Published> {
    readAtMs = now();
    try {
      const published = await fetchRegistry();
      const before = known();
      const isSame = before?.version === published.version && before.shell === published.shell;
      if (isSame && !awaited) return before;
      state.set({ status: 'known', published: withKeptTabs(before, published) });
      return published;
    } catch (error) {
      if (known() === null) state.set({ status: 'failed' });
      throw error;
    } finally {
      reading = null;
      awaited = false;
      if (again) readInBackground();
    }
  }

  function readInBackground(): void {
    again = false;
    readOnce().catch(() => undefined);
  }

  function readOnce(): Promise<Published> {
    reading ??= read();
    return reading;
  }

  /** Reads the registry; a failure carries the name of the caller's module. */
  async function publishedWith(module: string): Promise<Published> {
    awaited = true;
    try {
      return await readOnce();
    } catch (error) {
      throw error instanceof RegistryError
        ? new ModuleLoadError(module, 'registry', error.message, error.cause)
        : error;
    }
  }

  function releaseIn({ modules }: Pick<Published, 'modules'>, module: string): Release {
    const release = modules[module];
    if (release === undefined) throw new ModuleLoadError(module, 'unknown', 'not in /remotes.json');
    if (release.off) throw new ModuleLoadError(module, 'off', 'switched off');
    const reason = incompatibility(release);
    if (reason !== undefined) throw new ModuleLoadError(module, 'incompatible', reason);
    return release;
  }

  /** Whether this browser gets a canary; one that is incompatible with this shell goes to other pages. */
  function isForHere(module: string, canary: Canary): boolean {
    return lotOf(module) < canary.share && incompatibility(canary) === undefined;
  }

  /** Describes why a release is incompatible; undefined when it is not. */
  function incompatibility(release: Release): string | undefined {
    const what = (['sdk', 'ui'] as const).find(
      (each) => !inCaretRange(versions[each], release[each] ?? versions[each]),
    );
    return what && `wants ${what} ${release[what]}, here is ${versions[what]}`;
  }

  return {
    state,
    async find(module, { fresh }) {
      const published = fresh ? null : known();
      return releaseIn(published ?? (await publishedWith(module)), module);
    },
    latest(module) {
      try {
        return releaseIn(known() ?? { modules: {} }, module);
      } catch {
        return null;
      }
    },
    isOff: (module) => known()?.modules[module]?.off === true,
    refresh(maxAgeMs) {
      if (now() - readAtMs < maxAgeMs) return;
      if (reading === null) readInBackground();
      else again = true;
    },
  };
}

/** Keeps the tabs of modules removed from the registry while the page is open; their areas show the reason. */
function withKeptTabs(before: Published | null, now: Published): Published {
  const gone = before?.tabs.filter(
    ({ id, module }) => !(module in now.modules) && !now.tabs.some((tab) => tab.id === id),
  );
  if (!gone?.length) return now;
  return { ...now, tabs: [...now.tabs, ...gone].sort(byOrder) };
}

class RegistryError extends Error {}
