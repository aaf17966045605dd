import { inCaretRange } from '@cord/build/caret-range.ts';
import { createStore, type Store } from '@cord/sdk';
import { byOrder, type Canary, type Published, publishedIn, type Release } from './entries';
import { ModuleLoadError } from './load-errors';

/** What is published, as far as this page knows. */
export type RegistryState =
  | { status: 'known'; published: Published }
  | { status: 'loading' }
  /** Nothing is known yet, and the last try to learn it failed. */
  | { status: 'failed' };

export interface Registry {
  state: Store<RegistryState>;
  /** @throws ModuleLoadError 'registry', 'unknown' or 'incompatible' */
  find(module: string, options: { fresh: boolean }): Promise<Release>;
  /** What the registry named for this browser when it was last read; null where nothing, or nothing that works with this shell. */
  latest(module: string): Release | null;
  /** Whether an operator has switched it off, as far as this page knows. */
  isOff(module: string): boolean;
  /**
   * Reads it again in the background, unless that was begun within the last `maxAgeMs`; a failure leaves what is known. A read that is under way
   * may not have what this look is for: another one follows it.
   */
  lookAgain(maxAgeMs: number): void;
}

interface RegistryDeps {
  fetch: typeof fetch;
  /** What this shell carries. */
  versions: { sdk: string; ui: string };
  /** This browser's place in the draw for a module, 0 to 1: it stays in or out of a canary. */
  lotOf: (module: string) => number;
  /** What stands in the page itself (infra/gateway): /remotes.json of when it was requested. */
  inPage?: unknown;
  /** ms, of a clock that is never set back: with one that was, no look would be due for as long. */
  now?: () => number;
}

const TIMEOUT_MS = 8_000;
const sinceStart = () => performance.now();

/** /remotes.json: from the page, or fetched once, and again on request; one request at a time however many request it. */
export function createRegistry({ fetch, versions, lotOf, inPage, now = sinceStart }: RegistryDeps): Registry {
  const here = publishedIn(inPage, isForHere);
  const state = createStore<RegistryState>(here ? { status: 'known', published: here } : { status: 'loading' });
  let readAtMs = here ? now() : Number.NEGATIVE_INFINITY;
  let reading: Promise<Published> | null = null;
  /** Somebody waits for the answer; to a look in the background, one that is the same as before changes nothing. */
  let awaited = false;
  /** One more read follows the one under way. */
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

  /** Whoever requests it gets a failure by the name of its own module. */
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
    const reason = unfit(release);
    if (reason !== undefined) throw new ModuleLoadError(module, 'incompatible', reason);
    return release;
  }

  /** A canary that wants what this shell has not yet is for other pages. */
  function isForHere(module: string, canary: Canary): boolean {
    return lotOf(module) < canary.share && unfit(canary) === undefined;
  }

  /** What a release wants that this shell has not; undefined where it has all. */
  function unfit(release: Release): string | undefined {
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
    lookAgain(maxAgeMs) {
      if (now() - readAtMs < maxAgeMs) return;
      if (reading === null) readInBackground();
      else again = true;
    },
  };
}

/** A module that is gone from the registry keeps its place in a page that was opened with it: its area shows what became of it. */
function withKeptTabs(before: Published | null, now: Published): Published {
  const gone = before?.tabs.filter(
    ({ id, module }) => !(module in now.modules) && !now.tabs.some((tab) => tab.id === id),
  );
  if (!gone?.length) return now;
  return { ...now, tabs: [...now.tabs, ...gone].sort(byOrder) };
}

class RegistryError extends Error {}
