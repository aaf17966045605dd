import { z } from 'zod';
import { id128 } from '../http/fields.js';

/** A decimal string of an integer: amounts in micro-CORD and versions, exact at any size. */
export const integerText = z.string().regex(/^-?\d{1,19}$/, 'must be a decimal integer');

/** A UTC time in ms since epoch. */
export const timeMs = z.number().int();

/**
 * One of the values that this release knows, or one that a newer release has added: a reader passes over what it does not
 * know, and nothing is buried for it (design.md, Events: readers are tolerant). Requests stay closed: `z.enum`.
 */
export function openEnum<const V extends string>(values: readonly V[]) {
  return z.union([z.enum(values as unknown as readonly [V, ...V[]]), z.string().max(100)]) as unknown as z.ZodType<
    V | (string & {}),
    V | (string & {})
  >;
}

/**
 * What every event carries (design.md, Events): `seq` is the version of the emitting document; consumers keep the
 * highest per (thing, user) and overwrite, so duplicates and reordering are harmless.
 */
export const envelope = z.object({
  /** The release of the payload within this subject's version: a newer one only adds. */
  v: z.number().int().min(1),
  /** Message id, unique per stream; JetStream drops a second one. */
  id: z.string().min(1).max(200),
  at: timeMs,
  userId: id128,
  seq: integerText,
});

/** One kind of event: its subject's words, who may publish it, and its payload. */
export interface EventKind<S extends z.ZodType = z.ZodType> {
  thing: string;
  verb: string;
  schema: S;
}

/** Declares an event `cord.<thing>.v1.<verb>.<userId>`. */
export function eventKind<Shape extends z.ZodRawShape>(thing: string, verb: string, shape: Shape) {
  return { thing, verb, schema: envelope.extend(shape) };
}

export type EventOf<K> = K extends { schema: infer S extends z.ZodType } ? z.output<S> : never;

/** Subject of one user's event. */
export function subjectOf(kind: Pick<EventKind, 'thing' | 'verb'>, userId: string): string {
  return `cord.${kind.thing}.v1.${kind.verb}.${userId}`;
}

/** Subject filter of all users' events of a kind. */
export function filterOf(kind: Pick<EventKind, 'thing' | 'verb'>): string {
  return `cord.${kind.thing}.v1.${kind.verb}.*`;
}

/** Subjects without a user of their own (an epoch belongs to all) stand under this id. */
export const NOBODY = '0'.repeat(32);
