import { Problem } from './problem.js';

/** A document, or a part of one, that another release may have written. */
export interface Schemed {
  /** Default 1. */
  schemaVersion?: number | bigint;
}

/**
 * The successive schemas of a kind of document. Adding a field needs no new version, because older releases leave
 * unknown fields alone. A version is for changes that they would misread.
 */
export interface DocumentSchema<D> {
  /** Name in errors: `account`. */
  name: string;
  /** Pure functions; the first turns schema 1 into schema 2. */
  steps: readonly ((stored: D) => D)[];
}

/** Declares the schema of a kind of document. */
export function documentSchema<D>(name: string, ...steps: ((stored: D) => D)[]): DocumentSchema<D> {
  return { name, steps };
}

/** Filter for documents that this release can read. Newer ones would otherwise stay at the head of every batch and block the others. */
export function readable<D>({ steps }: DocumentSchema<D>): { schemaVersion: { $not: { $gt: number } } } {
  return { schemaVersion: { $not: { $gt: steps.length + 1 } } };
}

/**
 * Upgrades a stored document to this release's schema; the next write stores it so.
 * @throws Problem 503 for a schema that only a newer release knows: it is neither read nor written here
 */
export function upgrade<D extends object>(stored: D, { name, steps }: DocumentSchema<D>): D {
  const version = Number((stored as Schemed).schemaVersion ?? 1);
  const known = steps.length + 1;
  if (version === known) return stored;
  if (!(version >= 1 && version < known)) {
    const text = `This ${name} is of schema ${version}; this release reads up to ${known}`;
    throw new Problem(503, 'newer-document', text, { headers: { 'Retry-After': '5' } });
  }
  const upgraded = steps.slice(version - 1).reduce((doc, step) => step(doc), stored);
  return { ...upgraded, schemaVersion: known };
}
