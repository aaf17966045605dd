import * as clientErrorEndpoints from '@cord/contracts/addresses/client-errors';
import type { BodyInputOf } from '@cord/contracts/calls';
import { ApiError } from './problem';
import type { Store } from './store';

/** Place of a fault in the page; omitted fields are derived from the error. */
export interface FaultPlace {
  /** Registry name of the module, `mfe_tasks`; omitted for the shell. */
  module?: string | undefined;
  /** Version of the module, if known better than from the page. */
  version?: string | undefined;
  /** A part or an area, `tasks/tasks-card`, `settings`. */
  part?: string | undefined;
}

/** Reports an error. It never throws and shows nothing to the user. */
export type Report = (error: unknown, place?: FaultPlace) => void;

type Message = BodyInputOf<typeof clientErrorEndpoints.report>;

export interface ReporterDeps {
  versions: { shell: string; sdk: string };
  /** Versions of the modules that run in this page, by name. */
  modules: Store<ReadonlyMap<string, string>>;
  /** Texts that identify the user. */
  personal(): readonly (string | null | undefined)[];
  /** ms by the server's clock. */
  now(): number;
  /** Sends the message, even if the page closes. */
  send?(message: Message): void;
  bounds?: typeof REPORT_BOUNDS;
  page?: Pick<Window, 'addEventListener'>;
}

/** Message and stack in characters, times in ms; four faults stay below the 16 KB limit of a message. */
export const REPORT_BOUNDS = {
  batchMs: 5_000,
  batch: 4,
  kinds: 20,
  visits: 20,
  message: 300,
  stack: 1_500,
  /** A load that fails this shortly before the page closes was aborted by that. */
  leavingMs: 500,
};

/** Query strings, and possible ids, tokens or wallet addresses. */
const PRIVATE = /\?[\w-]+=[^\s)'"]*|[\w-]{32,}|\d{15,}/g;
const BEYOND_ASCII = /[^\x20-\x7e\n]/g;
/** Name under which the shell's own visits are reported. */
const SHELL = 'shell';
/** Path of a module's code, with its version. */
const MODULE = /\/modules\/(\w+)\/([\w.+-]+)\//;
/** Occurrences of a fault that are reported per page: the first, the tenth, the hundredth. */
const SAMPLED = /^10*$/;

/**
 * Creates the page's only reporter, which also catches uncaught errors. Each kind of fault is reported once and then
 * at decreasing frequency, in batches, the rest when the page closes. It reports nothing offline, for a call without
 * a response, or for loads that fail because the page closes.
 */
export function createReporter(deps: ReporterDeps): Report {
  const { versions, modules, personal, now, send = byBeacon, bounds = REPORT_BOUNDS, page = window } = deps;
  const times = new Map<string, number>();
  const waiting: Message['errors'] = [];
  const visits = createVisits(bounds.visits);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let left = false;

  /** Sends a visit together with its fault, since the receiver joins the two. */
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const errors = waiting.splice(0, bounds.batch);
    const shown = visits.take((visit) => waiting.some((fault) => isOf(fault, visit)));
    if (errors.length + shown.length > 0)
      send({ errors, ...(shown.length > 0 && { visits: shown.map((visit) => ({ ...visit, n: 1 })) }) });
    if (waiting.length > 0) soon();
  }

  function soon(): void {
    timer ??= setTimeout(flush, bounds.batchMs);
  }

  function noteVisits(): void {
    const shown = [...modules.get()].map(([module, version]) => ({ module, version }));
    const news = [{ module: SHELL, version: versions.shell }, ...shown].filter(visits.shown);
    if (news.length > 0) soon();
  }

  function clean(text: string, most: number): string {
    const named = personal().filter((each) => each && each.length > 2) as string[];
    const nameless = named.reduce((kept, each) => kept.replaceAll(each, '<user>'), text);
    return nameless.replace(PRIVATE, '<id>').replace(BEYOND_ASCII, '?').slice(0, most);
  }

  const report: Report = (error, place = {}) => {
    if (left || isNoAnswer(error) || !navigator.onLine) return;
    if (!isLoad(error)) {
      add(error, place);
      return;
    }
    // A browser aborts pending loads some milliseconds before the page receives `pagehide`.
    const timer = setTimeout(() => add(error, place), bounds.leavingMs);
    page.addEventListener('pagehide', () => clearTimeout(timer), { once: true });
  };

  function add(error: unknown, place: FaultPlace): void {
    const { message, stack, module: ofError } = partsOf(error);
    const [, inStack, itsVersion] = MODULE.exec(`${message} ${stack}`) ?? [];
    const module = place.module ?? ofError ?? inStack;
    const version = module && (place.version ?? (module === inStack ? itsVersion : modules.get().get(module)));
    const key = `${module} ${version} ${place.part} ${message}`;
    const nth = (times.get(key) ?? 0) + 1;
    if (nth === 1 && times.size >= bounds.kinds) return;
    times.set(key, nth);
    if (!SAMPLED.test(String(nth))) return;
    waiting.push({
      message: clean(message, bounds.message).trim() || 'unknown',
      ...(stack && { stack: clean(stack.replaceAll(location.origin, ''), bounds.stack) }),
      ...(module && { module }),
      ...(place.part && { part: place.part }),
      versions: { ...versions, ...(version && { module: version }) },
      at: new Date(now()).toISOString(),
    });
    if (module && version) visits.failed({ module, version });
    // Visits of pages without modules are not counted, so the shell counts a failure only beside modules.
    if (!module && modules.get().size > 0) visits.failed({ module: SHELL, version: versions.shell });
    soon();
  }

  // An event without an error is a remark of the browser or from another site's script.
  page.addEventListener('error', ({ error }) => error && report(error));
  page.addEventListener('unhandledrejection', ({ reason }) => report(reason));
  page.addEventListener('pagehide', () => {
    flush();
    left = true;
  });
  page.addEventListener('pageshow', () => {
    left = false;
  });
  modules.listen(noteVisits);
  return report;
}

function isOf(fault: Message['errors'][number], { module, version }: Visit): boolean {
  const { module: ofModule, shell } = fault.versions;
  return (fault.module ?? SHELL) === module && (fault.module ? ofModule : shell) === version;
}

function partsOf(error: unknown): { message: string; stack: string; module: string | undefined } {
  if (!(error instanceof Error)) return { message: String(error), stack: '', module: undefined };
  const { module } = error as { module?: unknown };
  return {
    message: `${error.name}: ${error.message}`,
    stack: error.stack ?? '',
    module: typeof module === 'string' ? module : undefined,
  };
}

/** Whether a call was cancelled or lost in transit, which is no fault of the page. */
function isNoAnswer(error: unknown): boolean {
  if (error instanceof ApiError) return error.kind !== 'http';
  return (error as { name?: unknown } | null | undefined)?.name === 'AbortError';
}

/** Failures of the shell's module loader (`ModuleLoadError.failure`). */
const LOADS: readonly unknown[] = ['registry', 'manifest', 'script', 'timeout'];
/** Messages of Chromium, Firefox and Safari for a failed request or code file. */
const LOAD_FAILED = /fetch|load failed|loading dynamically imported/i;

/** Whether a file or a response failed to load. */
function isLoad(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { failure } = error as { failure?: unknown };
  return (
    LOADS.includes(failure) ||
    error.name === 'ChunkLoadError' ||
    (error instanceof TypeError && LOAD_FAILED.test(error.message))
  );
}

function byBeacon(message: Message): void {
  const { method, path } = clientErrorEndpoints.report;
  const body = new Blob([JSON.stringify(message)], { type: 'application/json' });
  if (navigator.sendBeacon?.(`/api${path}`, body)) return;
  fetch(`/api${path}`, { method, body, keepalive: true }).catch(() => undefined);
}

/** A module version that this page has shown. */
interface Visit {
  module: string;
  version: string;
}

/** The unreported visits of this page: one for each version that it runs. */
interface Visits {
  /** @returns whether the visit is new */
  shown(visit: Visit): boolean;
  /** Notes a failed visit. It is reported with its fault, again if it was reported before. */
  failed(visit: Visit): void;
  /** Removes and returns the visits to report now, except those that wait. */
  take(waits: (visit: Visit) => boolean): Visit[];
}

/** @param most maximum number of versions per page; more are not counted */
function createVisits(most: number): Visits {
  const known = new Set<string>();
  const withFault = new Set<string>();
  const unsent = new Map<string, Visit>();

  /** Notes a visit once for each of the two reasons. */
  function note({ module, version }: Visit, noted: Set<string>): boolean {
    const key = `${module} ${version}`;
    if (noted.has(key) || (!known.has(key) && known.size >= most)) return false;
    noted.add(key);
    known.add(key);
    unsent.set(key, { module, version });
    return true;
  }

  return {
    shown: (visit) => note(visit, known),
    failed: (visit) => void note(visit, withFault),
    take(waits) {
      const taken = [...unsent].filter(([, visit]) => !waits(visit));
      for (const [key] of taken) unsent.delete(key);
      return taken.map(([, visit]) => visit);
    },
  };
}
