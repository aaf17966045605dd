import { type Clash, omissions, refusals } from './compare.js';
import { type JsonSchema, NOTHING } from './json-schema.js';
import { eventReadBy, type Message, type MessageKind, SENT_PARTS, schemaOf } from './messages.js';

/** A message in a release's record. */
export interface RecordedMessage {
  message: string;
  kind: MessageKind;
  schema: JsonSchema;
}

/** The messages that a release writes and reads. */
export interface Release {
  /** `1.0.0`, or `today`. */
  name: string;
  messages: ReadonlyMap<string, RecordedMessage>;
}

/** An incompatibility between two releases that run side by side. */
interface Finding extends Clash {
  release: string;
  message: string;
}

/** Returns a release with these messages; request parts without fields are omitted. */
export function releaseOf(name: string, all: readonly Message[]): Release {
  const recorded = all.map(({ name: message, kind, schema }) => ({ message, kind, schema: schemaOf(schema) }));
  const relevant = recorded.filter(({ kind, schema }) => kind !== 'request' || !takesNothing(schema));
  return { name, messages: new Map(relevant.map((one) => [one.message, one])) };
}

/**
 * Returns the incompatibilities of today's release with recorded ones. Streams hold events of every release, so
 * today must read all of them; other messages pass only between today's release and the previous one.
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

/** Formats a finding: `1.0.0, event user.v1.updated, joinedAt: removed`. */
export function findingText({ release, message, field, what }: Finding): string {
  return [release, message, field === '' ? what : `${field}: ${what}`].join(', ');
}

function clashesOf(message: string, release: Release, today: Release, isBefore: boolean): Clash[] {
  const kind = (release.messages.get(message) ?? today.messages.get(message))?.kind;
  const old = earlierOf(release, message);
  if (!old) return [];
  if (kind === 'reading') return isBefore ? missingForReader(message, old, today) : [];
  const present = earlierOf(today, message);
  if (!present) return isBefore && !old.deprecated ? [{ field: '', what: 'removed' }] : [];
  return [
    ...(isBefore || kind === 'event' ? refusals(old, present) : []),
    ...(isBefore ? omissions(old, present, kind === 'request') : []),
  ].filter((clash, index, all) => all.findIndex(({ field }) => field === clash.field) === index);
}

/**
 * Returns what a consumer of the previous release needs and today's events lack. A deprecated field counts while that
 * consumer reads it.
 */
function missingForReader(reading: string, { properties = {}, ...schema }: JsonSchema, today: Release): Clash[] {
  const written = today.messages.get(eventReadBy(reading));
  const read = Object.entries(properties).map(([name, { deprecated: _, ...field }]) => [name, field]);
  return written ? omissions({ ...schema, properties: Object.fromEntries(read) }, written.schema, false) : [];
}

/** Returns a release's schema of a message; NOTHING for a part that its call does not declare. */
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
