import { ownTask } from '../app/scheduling';
import { ModuleLoadError } from './load-errors';
import type { Registry } from './registry';
import type { Federation } from './runtime';

/** Exposed entries of a module. */
export type Exposed = 'page' | 'parts';
type Found = Record<string, unknown>;

export interface ModuleLoader {
  /**
   * Loads an exposed entry of a module. Results are cached, failures are not, and concurrent calls share one load.
   * `fresh` reads the registry again and clears the module's cache, unless the registered release already runs.
   * @throws ModuleLoadError
   */
  load(module: string, exposed: Exposed, options?: { fresh?: boolean }): Promise<Found>;
  /** Whether it is loaded and current. */
  isHere(module: string, exposed: Exposed): boolean;
  /** Returns the entry of the next load; a module mounted from another one is outdated. Null while unknown. */
  releaseOf(module: string): string | null;
  /**
   * Marks a tab visit. From here on, loads use the latest registry for page and parts together; until the next visit
   * a module's code comes from one build only.
   */
  visit(): void;
  /** Reads the registry in the background, at most every few seconds; new releases apply at the next visit. */
  checkForReleases(): void;
  /** Reads the registry at once, when a release is reported. */
  checkForReleasesNow(): void;
}

/** Maximum time that a skeleton is shown, ms. */
export const LOAD_TIMEOUT_MS = 15_000;
/** Minimum interval between two registry reads, ms, for users who switch tabs quickly. */
const RELEASES_MS = 5_000;

/** State of a module in this page. */
interface Known {
  /** The entry registered with the runtime. */
  entry: string | null;
  /** Whether code of that entry runs; a second instance would have separate state. */
  runs: boolean;
  /** The registry had another entry at the last visit; the next load uses it. */
  outdated: boolean;
  /** Loads by exposed entry, finished or in progress. */
  loads: Map<Exposed, Promise<Found>>;
  /** Loads in progress. */
  running: Set<Promise<Found>>;
  /** The registry read in progress. */
  renewing: Promise<void> | null;
}

interface LoaderDeps {
  registry: Registry;
  /** Loads the runtime with the first module. */
  federation: () => Promise<Federation>;
  /** Called with the version of each module that runs. */
  onVersion?: (module: string, version: string) => void;
  timeoutMs?: number;
}

export function createModuleLoader({
  registry,
  federation,
  onVersion = () => undefined,
  timeoutMs = LOAD_TIMEOUT_MS,
}: LoaderDeps): ModuleLoader {
  const modules = new Map<string, Known>();

  function knownOf(module: string): Known {
    const known = modules.get(module);
    if (known) return known;
    const made: Known = {
      entry: null,
      runs: false,
      outdated: false,
      loads: new Map(),
      running: new Set(),
      renewing: null,
    };
    modules.set(module, made);
    return made;
  }

  /** Registers the current entry of the registry with the runtime. */
  async function register(module: string, fresh: boolean): Promise<Federation> {
    const [{ entry, version, integrity }, runtime] = await Promise.all([
      registry.find(module, { fresh }),
      federation(),
    ]);
    // Requests of one page resolve together; each continues in its own task.
    await ownTask();
    const known = knownOf(module);
    onVersion(module, version);
    if (known.entry === entry && (known.runs || !fresh)) return runtime;
    runtime.register(module, entry, { force: fresh || known.entry !== null, integrity });
    if (known.entry !== entry) dropFinished(known);
    known.entry = entry;
    known.runs = false;
    return runtime;
  }

  /** One renewal at a time per module, and never during a load. */
  function renew(module: string, fresh: boolean): Promise<void> {
    const known = knownOf(module);
    known.renewing ??= Promise.allSettled(known.running)
      .then(() => register(module, fresh))
      .then(() => undefined)
      .finally(() => {
        known.renewing = null;
      });
    return known.renewing;
  }

  async function loadNow(module: string, exposed: Exposed, fresh: boolean): Promise<Found> {
    const known = knownOf(module);
    if (fresh) await renew(module, true);
    else await known.renewing?.catch(() => undefined);
    // A module keeps its build until a visit.
    const runtime = known.entry === null ? await register(module, false) : await federation();
    const found = await runtime.load(module, exposed);
    if (typeof found !== 'object' || found === null) {
      throw new ModuleLoadError(module, 'exports', `./${exposed} exports nothing`);
    }
    return found as Found;
  }

  function releaseOf(module: string): string | null {
    const { entry, outdated } = knownOf(module);
    const latest = registry.latest(module)?.entry ?? null;
    return outdated ? (latest ?? entry) : (entry ?? latest);
  }

  function visit(): void {
    for (const [module, known] of modules) {
      const latest = registry.latest(module);
      known.outdated = known.entry !== null && latest !== null && latest.entry !== known.entry;
    }
  }

  function isHere(module: string, exposed: Exposed): boolean {
    const { loads, running, outdated } = knownOf(module);
    const loading = loads.get(exposed);
    return loading !== undefined && !running.has(loading) && !outdated;
  }

  function load(module: string, exposed: Exposed, { fresh = false }: { fresh?: boolean } = {}): Promise<Found> {
    const known = knownOf(module);
    const { loads, running } = known;
    if (known.outdated) {
      known.outdated = false;
      loads.clear();
      renew(module, false).catch(() => undefined);
    }
    const before = loads.get(exposed);
    // A load in progress started after the failure.
    if (before && (!fresh || running.has(before))) return before;
    const loading = withTimeout(
      loadNow(module, exposed, fresh),
      timeoutMs,
      () => new ModuleLoadError(module, 'timeout', `./${exposed} took more than ${timeoutMs / 1_000} s`),
    ).then(
      (found) => {
        // Not after a timeout, since another entry may have been registered meanwhile.
        known.runs = true;
        return found;
      },
      (error: unknown) => {
        throw asLoadError(module, error);
      },
    );
    loads.set(exposed, loading);
    running.add(loading);
    loading
      .catch(() => {
        if (loads.get(exposed) === loading) loads.delete(exposed);
      })
      .finally(() => running.delete(loading));
    return loading;
  }

  return {
    load,
    isHere,
    releaseOf,
    visit,
    checkForReleases: () => registry.refresh(RELEASES_MS),
    checkForReleasesNow: () => registry.refresh(0),
  };
}

/** Drops finished loads of another entry; those in progress load the new one. */
function dropFinished({ loads, running }: Known): void {
  for (const [exposed, loading] of loads) if (!running.has(loading)) loads.delete(exposed);
}

/** Settles like the promise, or throws `onTimeout()` after `ms`; later results are ignored. */
function withTimeout<T>(promise: Promise<T>, ms: number, onTimeout: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(onTimeout()), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Returns the typed error behind a thrown value; an error of the federation runtime counts as the module's. */
function asLoadError(module: string, error: unknown): ModuleLoadError {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof ModuleLoadError) return at;
  const detail = error instanceof Error ? error.message : String(error);
  return new ModuleLoadError(module, 'script', detail, error);
}
