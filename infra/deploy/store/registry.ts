import type { Part, Tab } from '@cord/build/module-facts.ts';
import type { ModuleStore } from './folder-store.js';
import { Refused } from './refused.js';
import { type Facts, filesOf, type Line, lineNames, newestSeq, readLine, SHELL } from './release-line.js';

/** A version of a module in /remotes.json. */
export interface Release {
  version: string;
  /** Address of its manifest. */
  entry: string;
  /** Integrity of the manifest and the entry script, by name, in the browsers' format. */
  integrity?: Record<string, string>;
  sdk: string;
  ui?: string | undefined;
  /** Its tab and parts for the shell (infra/build/module-facts.ts), which validates them. */
  tab?: Tab | object;
  parts: readonly (Part | object)[];
}

export interface Entry extends Release {
  canary?: Release & { share: number };
  /** Switched off by an operator: recorded by the gateway, not in a journal. */
  off?: true;
}

/** The published versions, from the newest line of each journal. */
export interface Registry {
  /** Changes with each switch: the number of lines in all journals. */
  version: string;
  modules: Record<string, Entry>;
  /** The newest line of each module, and of the shell. */
  lines: Record<string, Line>;
  /** The newest line of the shell, if one was published. */
  shell?: (Line & { sdk: string; ui: string }) | undefined;
  /** What could not be read. */
  problems: string[];
}

interface Read {
  seq: number;
  line?: Line;
  entry?: Entry;
  problem?: string;
}

/** Files of a module that the shell itself loads; the entry has the hashes of all later ones. */
const MANIFEST = 'mf-manifest.json';
const ENTRY = 'remoteEntry.js';

/**
 * Reads the content of /remotes.json from the newest line of each journal. An unreadable line leaves out its own module
 * only. Lines never change, so each is read once.
 */
export function registryReader(store: ModuleStore): () => Promise<Registry> {
  const known = new Map<string, Read>();

  async function entryOf(name: string): Promise<Read> {
    let seq = 0;
    try {
      seq = await newestSeq(store, name);
      const kept = known.get(name);
      if (kept?.seq === seq) return kept;
      const line = await readLine(store, name, seq);
      if (typeof line.sdk !== 'string') throw new Refused(`line ${seq} of ${name} in ${store.where} lacks sdk`);
      const read: Read = name === SHELL ? { seq, line } : { seq, line, entry: entryFrom(name, line) };
      known.set(name, read);
      return read;
    } catch (error) {
      const problem = (error as Error).message;
      // File system errors keep the last state: a line may be readable by another user only, or file descriptors may be exhausted.
      const kept = error instanceof Refused ? undefined : known.get(name);
      return kept ? { ...kept, problem } : { seq, problem };
    }
  }

  return async () => {
    const names = await lineNames(store);
    const read = await Promise.all(names.map(async (name) => ({ name, ...(await entryOf(name)) })));
    return {
      version: String(read.reduce((sum, { seq }) => sum + seq, 0)),
      modules: Object.fromEntries(read.flatMap(({ name, entry }) => (entry ? [[name, entry]] : []))),
      lines: Object.fromEntries(read.flatMap(({ name, line }) => (line ? [[name, line]] : []))),
      shell: read.find(({ name }) => name === SHELL)?.line as Registry['shell'],
      problems: read.flatMap(({ problem }) => problem ?? []),
    };
  };
}

/** Returns a line's entry for browsers: a canary is a separate entry, with all facts of its version. */
function entryFrom(name: string, { canary, ...facts }: Line): Entry {
  return { ...releaseOf(name, facts), ...(canary && { canary: { ...releaseOf(name, canary), share: canary.share } }) };
}

function releaseOf(name: string, facts: Facts): Release {
  const { version, sdk = '', ui, tab, parts = [], files = {} } = facts;
  const entry = `/modules/${filesOf(name, version)}/${MANIFEST}`;
  const hashed = [MANIFEST, ENTRY].flatMap((file) => (files[file] ? [[file, integrityOf(files[file])]] : []));
  const integrity = Object.fromEntries(hashed);
  return { version, entry, integrity, sdk, ui, ...(tab && { tab }), parts };
}

/** Returns a hash in the format of Subresource Integrity. @param sha256 hex */
function integrityOf(sha256: string): string {
  return `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`;
}
