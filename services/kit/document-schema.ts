import { Problem } from './problem.js';

/** A document, or a part of one, that may be of another release. */
export interface Schemed {
  /** 1 where it is absent. */
  schemaVersion?: number | bigint;
}

/**
 * The schemas that a kind of document has had. A field that is added needs none of this: what older releases do not have
 * they leave alone. A version is for what they would misread.
 */
export interface DocumentSchema<D> {
  /** As an error names it: `account`. */
  name: string;
  /** Pure; the first makes schema 2 of schema 1. */
  steps: readonly ((stored: D) => D)[];
}

/** Declares a kind of document that holds money. */
export function documentSchema<D>(name: string, ...steps: ((stored: D) => D)[]): DocumentSchema<D> {
  return { name, steps };
}

/** Finds what this release can read: marks of newer documents would stand first in each look, and keep the others from their turn. */
export function readable<D>({ steps }: DocumentSchema<D>): { schemaVersion: { $not: { $gt: number } } } {
  return { schemaVersion: { $not: { $gt: steps.length + 1 } } };
}

/**
 * What is stored, as this release has it; the next write keeps it so.
 * @throws Problem 503 for a schema that only a newer release has: nothing of it is read or written here
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
