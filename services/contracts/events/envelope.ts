import { z } from 'zod';
import { id128 } from '../http/fields.js';

/** A decimal string of an integer: amounts in micro-CORD and versions, exact at any size. */
export const integerText = z.string().regex(/^-?\d{1,19}$/, 'must be a decimal integer');

/** A UTC time in ms since epoch. */
export const timeMs = z.number().int();

/**
 * Accepts the values of this release and any value that a newer release added: a reader skips an unknown value
 * instead of making the event a dead letter (services/README.md#events). Requests stay closed: `z.enum`.
 */
export function openEnum<const V extends string>(values: readonly V[]) {
  return z.union([z.enum(values as unknown as readonly [V, ...V[]]), z.string().max(100)]) as unknown as z.ZodType<
    V | (string & {}),
    V | (string & {})
  >;
}

/**
 * The fields of every event. `seq` is the version of the emitting document. Consumers keep the highest per
 * (thing, user) and overwrite, so duplicates and reordering are harmless.
 */
export const envelope = z.object({
  /** Release of the payload within this subject version; a newer release only adds fields. */
  v: z.number().int().min(1),
  /** Message id, unique per stream; JetStream drops duplicates. */
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
  /** Version of the subject, default 1. A payload that is incompatible with version 1 gets a subject of its own beside it. */
  version?: number;
  /** The event informs one user about another: its subject ends with both ids, one message per pair. */
  ofTwo?: true;
  /**
   * Maximum bytes of one user's event in its stream: payload, subject, headers and record overhead (the largest are
   * in services/contracts/events/test/largest.ts). `OF_ALL` for an event that concerns all users, under NOBODY.
   */
  bytes: number | typeof OF_ALL;
}

/** Marks a kind with one event for all users, in place of bytes per user. */
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

/** The parts of a kind that make its subject. */
export type SubjectKind = Pick<EventKind, 'thing' | 'verb' | 'version' | 'ofTwo'>;

/** Name of a kind: `user.v1.updated`. */
export function kindName({ thing, verb, version = 1 }: Pick<SubjectKind, 'thing' | 'verb' | 'version'>): string {
  return `${thing}.v${version}.${verb}`;
}

/** Returns the kind's name in an event's subject. */
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

/** Subject filters for all events of a kind under a user's id, alone or paired with another's. */
export function filtersOfUser(kind: SubjectKind, userId: string): string[] {
  return kind.ofTwo ? [subjectOf(kind, userId, '*'), subjectOf(kind, '*', userId)] : [subjectOf(kind, userId)];
}

/** User id in the subjects of events without a user (an epoch concerns everybody). */
export const NOBODY = '0'.repeat(32);
