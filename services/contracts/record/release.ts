import { type Clash, omissions, refusals } from './compare.js';
import { type JsonSchema, NOTHING } from './json-schema.js';
import { eventReadBy, type Message, type MessageKind, SENT_PARTS, schemaOf } from './messages.js';

/** A message as a release's record holds it. */
export interface RecordedMessage {
  message: string;
  kind: MessageKind;
  schema: JsonSchema;
}

/** What a release writes and reads. */
export interface Release {
  /** `1.0.0`, or `today`. */
  name: string;
  messages: ReadonlyMap<string, RecordedMessage>;
}

/** Something that two releases which run side by side do not agree on. */
interface Finding extends Clash {
  release: string;
  message: string;
}

/** A release of these messages; parts of a call that take nothing are left out. */
export function releaseOf(name: string, all: readonly Message[]): Release {
  const recorded = all.map(({ name: message, kind, schema }) => ({ message, kind, schema: schemaOf(schema) }));
  const relevant = recorded.filter(({ kind, schema }) => kind !== 'request' || !takesNothing(schema));
  return { name, messages: new Map(relevant.map((one) => [one.message, one])) };
}

/**
 * Where today's release and a recorded one do not go together. Events of every release stand in the streams, so that
 * today reads all of them; all else passes between today's release and the one before alone.
 */
export function findings(today: Release, recorded: readonly Release[]): Finding[] {
  return recorded.flatMap((release, index) => {
    const isBefore = index === recorded.length - 1;
    const names = new Set([...release.messages.keys(), ...(isBefore ? today.messages.keys() : [])]);
    return [...names].flatMap((message) => {
      const clashes = clashesOf(message, release, today, isBefore);
      return clashes.map((clash) => ({ release: release.name, message, ...clash }));
    });
  });
}

/** `1.0.0, event user.v1.updated, joinedAt: removed` */
export function findingText({ release, message, field, what }: Finding): string {
  return [release, message, field === '' ? what : `${field}: ${what}`].join(', ');
}

function clashesOf(message: string, release: Release, today: Release, isBefore: boolean): Clash[] {
  const kind = (release.messages.get(message) ?? today.messages.get(message))?.kind;
  const old = earlierOf(release, message);
  if (!old) return [];
  if (kind === 'reading') return isBefore ? missedBy(message, old, today) : [];
  const present = earlierOf(today, message);
  if (!present) return isBefore && !old.deprecated ? [{ field: '', what: 'removed' }] : [];
  return [
    ...(isBefore || kind === 'event' ? refusals(old, present) : []),
    ...(isBefore ? omissions(old, present, kind === 'request') : []),
  ].filter((clash, index, all) => all.findIndex(({ field }) => field === clash.field) === index);
}

/**
 * What a consumer of the release before misses in what is written today. Deprecated or not: what it reads is not read by
 * nobody.
 */
function missedBy(reading: string, { properties = {}, ...schema }: JsonSchema, today: Release): Clash[] {
  const written = today.messages.get(eventReadBy(reading));
  const read = Object.entries(properties).map(([name, { deprecated: _, ...field }]) => [name, field]);
  return written ? omissions({ ...schema, properties: Object.fromEntries(read) }, written.schema, false) : [];
}

/** What a release takes as a message: nothing as a part that a call of it does not declare. */
function earlierOf({ messages }: Release, message: string): JsonSchema | undefined {
  const own = messages.get(message)?.schema;
  if (own) return own;
  const address = SENT_PARTS.flatMap((part) =>
    message.endsWith(` ${part}`) ? [message.slice(0, -part.length - 1)] : [],
  )[0];
  return address !== undefined && messages.has(`${address} response`) ? NOTHING : undefined;
}

function takesNothing({ type, properties, additionalProperties }: JsonSchema): boolean {
  return type === 'object' && additionalProperties === false && Object.keys(properties ?? {}).length === 0;
}
