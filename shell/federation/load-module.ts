import { ownTask } from '../app/scheduling';
import { asLoadError, ModuleLoadError } from './load-errors';
import type { Registry } from './registry';
import type { Federation } from './runtime';

/** What a module may expose. */
export type Exposed = 'page' | 'parts';
type Found = Record<string, unknown>;

export interface ModuleLoader {
  /**
   * What the module exposes. A repetition comes from memory; a failure is not kept. `fresh` reads the registry anew and, unless
   * what it names runs here already, forgets what was cached of the module. However many request it at once, a module is loaded once.
   * @throws ModuleLoadError
   */
  load(module: string, exposed: Exposed, options?: { fresh?: boolean }): Promise<Found>;
  /** Whether that has come already and is what the next load gives. */
  isHere(module: string, exposed: Exposed): boolean;
  /** The entry that the next load comes from; one that is mounted from another is outdated. Null while nothing is known of the module. */
  releaseOf(module: string): string | null;
  /**
   * Another tab is visited. What the registry named new by now is what is loaded from here on, page and parts together; until the next visit
   * nothing of a module comes from another build than what stands here of it.
   */
  visit(): void;
  /** Has the registry read again in the background, every few seconds at most: what it names new comes with the next visit. */
  lookForReleases(): void;
  /** The same at once: a release is reported. */
  lookNow(): void;
}

/** The longest a user looks at a skeleton before a message, ms. */
export const LOAD_TIMEOUT_MS = 15_000;
/** The least time between two looks for new releases, ms: nobody who goes through the tabs reads at each. */
const RELEASES_MS = 5_000;

/** One module as this page knows it. */
interface Known {
  /** The entry that the runtime has. */
  entry: string | null;
  /** Whether something of that entry runs here: then a second instance would have a state of its own. */
  runs: boolean;
  /** At the last visit the registry named another entry: the next load brings that one. */
  outdated: boolean;
  /** What came or is on its way, by what is exposed. */
  loads: Map<Exposed, Promise<Found>>;
  /** On their way. */
  running: Set<Promise<Found>>;
  /** The registry is being read anew. */
  renewing: Promise<void> | null;
}

interface LoaderDeps {
  registry: Registry;
  /** The runtime, itself read when the first module is wanted. */
  federation: () => Promise<Federation>;
  /** Receives which version of a module runs here. */
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

  /** Has the runtime know the entry that the registry names now. */
  async function register(module: string, fresh: boolean): Promise<Federation> {
    const [{ entry, version, integrity }, runtime] = await Promise.all([
      registry.find(module, { fresh }),
      federation(),
    ]);
    // All that a page requests know their places at once; each is begun by itself.
    await ownTask();
    const known = knownOf(module);
    onVersion(module, version);
    if (known.entry === entry && (known.runs || !fresh)) return runtime;
    runtime.register(module, entry, { force: fresh || known.entry !== null, integrity });
    if (known.entry !== entry) forgetWhatCame(known);
    known.entry = entry;
    known.runs = false;
    return runtime;
  }

  /** One at a time for all that a module exposes, and never under a load that is on its way. */
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
    // What stands here of a module stays of one build: another one comes with a visit.
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
    // One that is on its way began after whatever failed.
    if (before && (!fresh || running.has(before))) return before;
    const loading = withTimeout(
      loadNow(module, exposed, fresh),
      timeoutMs,
      () => new ModuleLoadError(module, 'timeout', `./${exposed} took more than ${timeoutMs / 1_000} s`),
    ).then(
      (found) => {
        // Not of one that was given up: another entry may have been registered meanwhile.
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
    lookForReleases: () => registry.lookAgain(RELEASES_MS),
    lookNow: () => registry.lookAgain(0),
  };
}

/** What has come of another entry is not what this one has; what is on its way is requested anew. */
function forgetWhatCame({ loads, running }: Known): void {
  for (const [exposed, loading] of loads) if (!running.has(loading)) loads.delete(exposed);
}

/** The promise's outcome, or `onTimeout()` thrown after `ms`. What comes later is ignored. */
function withTimeout<T>(promise: Promise<T>, ms: number, onTimeout: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(onTimeout()), ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
