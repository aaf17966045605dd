import type { ModuleStore } from './folder-store.mjs';

/** A line of a journal, as far as people read it. */
export interface Told {
  seq: number;
  action: string;
  version: string;
  sdk: string;
  /** Lines of the first release are without. */
  ui?: string;
  size?: number;
  who: string;
  by: string;
  when: string;
  why?: string;
  from: string | null;
  frozen?: boolean;
  canary?: { version: string; share: number } | null;
}

export interface Journal {
  name: string;
  unreadable?: false;
  /** To which a rollback without a version leads. */
  previous: string | null;
  /** There are older lines. */
  more: boolean;
  /** The newest first, one at least; without older ones that cannot be read. */
  lines: Told[];
}

/** Its newest line cannot be read: nothing of it is in use. */
interface Unreadable {
  name: string;
  unreadable: true;
}

export function journals(store: ModuleStore, count: number): Promise<(Journal | Unreadable)[]>;

export function byOperator(
  store: ModuleStore,
  asked: { name: string; act: string; seq: number; version?: string | null; share?: number | null },
  word: { who: string; why: string },
): Promise<Told | null>;
