import { z } from 'zod';
import { id128 } from '../http/fields.js';

/** A decimal string of an integer: amounts in micro-CORD and versions, exact at any size. */
export const integerText = z.string().regex(/^-?\d{1,19}$/, 'must be a decimal integer');

/** A UTC time in ms since epoch. */
export const timeMs = z.number().int();

/**
 * One of the values that this release has, or one that a newer release has added: a reader skips what it does not
 * know, and it becomes no dead letter (services/README.md#events). Requests stay closed: `z.enum`.
 */
export function openEnum<const V extends string>(values: readonly V[]) {
  return z.union([z.enum(values as unknown as readonly [V, ...V[]]), z.string().max(100)]) as unknown as z.ZodType<
    V | (string & {}),
    V | (string & {})
  >;
}

/**
 * What every event carries: `seq` is the version of the emitting document; consumers keep the
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

/** One kind of event: thing and verb of its subject, its publisher, and its payload. */
export interface EventKind<S extends z.ZodType = z.ZodType> {
  thing: string;
  verb: string;
  schema: S;
  /** Of its subject, where that is not the first: a payload that the first cannot become stands beside it. */
  version?: number;
  /** It informs a user about another: the subject ends with both, and each pair has a message of its own. */
  ofTwo?: true;
  /**
   * What one user's event takes in its stream at the most: payload, subject, headers and the record around them
   * (services/contracts/events/test/largest.ts has the largest); `OF_ALL` where it concerns all users, under NOBODY.
   */
  bytes: number | typeof OF_ALL;
}

/** Instead of bytes of one user: there is one event of the kind. */
export const OF_ALL = 'all';

/** Declares an event `cord.<thing>.v<version>.<verb>.<userId>`. */
export function eventKind<Shape extends z.ZodRawShape>(
  thing: string,
  verb: string,
  bytes: EventKind['bytes'],
  shape: Shape,
  version = 1,
) {
  return { thing, verb, bytes, schema: envelope.extend(shape), ...(version > 1 ? { version } : {}) };
}

/** Declares an event `cord.<thing>.v1.<verb>.<userId>.<otherId>`. */
export function eventKindOfTwo<Shape extends z.ZodRawShape>(thing: string, verb: string, bytes: number, shape: Shape) {
  return { ...eventKind(thing, verb, bytes, shape), ofTwo: true as const };
}

export type EventOf<K> = K extends { schema: infer S extends z.ZodType } ? z.output<S> : never;

/** A kind by thing and verb of its subject alone. */
export type SubjectKind = Pick<EventKind, 'thing' | 'verb' | 'version' | 'ofTwo'>;

/** A kind by name: `user.v1.updated`. */
export function kindName({ thing, verb, version = 1 }: Pick<SubjectKind, 'thing' | 'verb' | 'version'>): string {
  return `${thing}.v${version}.${verb}`;
}

/** The name of the kind whose event a subject carries. */
export function kindNameIn(subject: string): string {
  return subject.split('.').slice(1, 4).join('.');
}

/**
 * Subject of one user's event.
 * @param otherId the other user, for a kind about two
 */
export function subjectOf(kind: SubjectKind, userId: string, otherId?: string): string {
  if ((kind.ofTwo ?? false) !== (otherId !== undefined)) throw new Error(`${kindName(kind)}: whose event?`);
  const one = `cord.${kindName(kind)}.${userId}`;
  return otherId === undefined ? one : `${one}.${otherId}`;
}

/** Subject filters of everything of a kind that stands under a user's id, alone or beside another's. */
export function filtersOfUser(kind: SubjectKind, userId: string): string[] {
  return kind.ofTwo ? [subjectOf(kind, userId, '*'), subjectOf(kind, '*', userId)] : [subjectOf(kind, userId)];
}

/** Subjects without a user of their own (an epoch belongs to all) stand under this id. */
export const NOBODY = '0'.repeat(32);
