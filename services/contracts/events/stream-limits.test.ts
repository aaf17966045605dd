import { describe, expect, it } from 'vitest';
import { type EventKind, OF_ALL, subjectOf } from './envelope.js';
import { EVENTS } from './index.js';
import { STREAM_USERS, STREAMS, streamOf } from './streams.js';
import { LARGEST, MICRO, MS, USER } from './test/largest.js';

/** NATS's overhead beside subject, headers and payload: lengths, position, time and checksum. */
const RECORD_BYTES = 34;

/** What one event takes in its stream. */
function bytesOf(kind: EventKind, state: object): number {
  const id = `${kind.thing}.${kind.verb}:${USER}:${USER}:${MICRO}`;
  const payload = { v: 1, id, at: MS, userId: USER, seq: MICRO, ...state };
  const subject = subjectOf(kind, USER, kind.ofTwo && USER);
  const cause = `X-Request-Id: ${'r'.repeat(36)}\r\ntraceparent: 00-${'f'.repeat(32)}-${'f'.repeat(16)}-01\r\n`;
  const known = `Nats-Msg-Id: ${id}\r\nNats-Expected-Last-Subject-Sequence: ${MICRO}\r\n`;
  const headers = `NATS/1.0\r\n${known}${cause}\r\n`;
  return Buffer.byteLength(subject + headers + JSON.stringify(kind.schema.parse(payload))) + RECORD_BYTES;
}

const ofUsers = EVENTS.filter(({ bytes }) => bytes !== OF_ALL);

describe('the table of streams', () => {
  it.each(ofUsers.map((kind) => [`${kind.thing}.${kind.verb}`, kind] as const))(
    'reserves at least the bytes of the largest %s',
    (name, kind) => {
      expect(bytesOf(kind, LARGEST[name] ?? {})).toBeLessThanOrEqual(Number(kind.bytes));
    },
  );

  it('keeps one message per subject without expiry in streams of events; only dead letters expire', () => {
    for (const { name, maxAgeMs, maxPerSubject } of STREAMS) {
      expect([name, maxAgeMs === 0, maxPerSubject]).toEqual(name === 'CORD_DEAD' ? [name, false, -1] : [name, true, 1]);
    }
  });

  it('gives each stream room for its users, and all streams at most 11 GiB together', () => {
    for (const { thing } of ofUsers) {
      const kinds = ofUsers.filter((kind) => streamOf(kind.thing) === streamOf(thing));
      expect(streamOf(thing).maxBytes).toBe(kinds.reduce((sum, { bytes }) => sum + Number(bytes) * STREAM_USERS, 0));
    }
    expect(STREAMS.reduce((sum, { maxBytes }) => sum + maxBytes, 0)).toBeLessThanOrEqual(11 * 1024 ** 3);
  });
});
