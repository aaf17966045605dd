import { subjectOf } from '@cord/contracts/events/envelope';
import { claimMade } from '@cord/contracts/events/rewards';
import { TimeoutError } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { DEAD_LETTERS_LISTED_MAX } from '../bounds.js';
import { purgeSubject } from '../purge.js';
import { claim } from '../test/claim.js';
import { randomId, startTestBackend } from '../testing/index.js';
import { forAllTests } from '../testing/lifetimes.js';
import {
  deadLetterEvent,
  deadLetterPlaces,
  listDeadLetters,
  purgeDeadLetters,
  retryDeadLetter,
} from './dead-letters.js';

const backend = forAllTests(() => startTestBackend({ store: false, own: true }));

describe('dead letters', () => {
  it('of an unpublished event are published once the event fits, and not before', async () => {
    const userId = randomId();
    const subject = subjectOf(claimMade, userId);
    const { js, log, deadLettered } = backend.nats;
    const owner = { js, log, deadLettered, service: 'rewards' };
    const toDeadLetters = (payload: unknown, msgId: string) =>
      deadLetterEvent(owner, { subject, payload, msgId, err: new Error('does not fit') });
    const placeOf = async () =>
      (await listDeadLetters(backend.nats)).findLast((letter) => letter.subject === subject)?.deadSeq ?? 0;
    await toDeadLetters({ v: 1 }, `a:${userId}`);
    await expect(retryDeadLetter(backend.nats, await placeOf())).rejects.toThrow(/cannot be published/);
    const mended = claim(userId);
    await toDeadLetters(mended, `b:${userId}`);
    expect(await retryDeadLetter(backend.nats, await placeOf())).toBe('retried');
    expect((await backend.nats.jsm.streams.getMessage('CORD_REWARDS', { last_by_subj: subject }))?.json()).toEqual(
      mended,
    );
  });

  /** Writes a letter of the consumer `mining`. @returns its place */
  async function write(userId: string, subject: string, streamSeq: number): Promise<number> {
    const place = `cord.dead.v1.mining.CORD_REWARDS.${userId}`;
    const letter = { v: 1, durable: 'mining', stream: 'CORD_REWARDS', streamSeq, subject, deliveries: 8 };
    const more = { reason: 'x', at: new Date(0).toISOString(), payload: '', complete: true };
    return (await backend.nats.js.publish(place, JSON.stringify({ ...letter, ...more }))).seq;
  }
  /** A message of a user that has become a dead letter. @returns the letter's place */
  async function deadLetterOf(userId: string): Promise<number> {
    const subject = subjectOf(claimMade, userId);
    const { streamSeq } = await backend.nats.publish(subject, claim(userId, 1), `claim:${userId}:1`);
    return write(userId, subject, streamSeq);
  }
  const seqOf = async (userId: string) => {
    const query = { last_by_subj: subjectOf(claimMade, userId) };
    return (await backend.nats.jsm.streams.getMessage('CORD_REWARDS', query))?.json<{ seq: string }>().seq;
  };
  const placesOf = async (userId: string) =>
    (await listDeadLetters(backend.nats)).filter(({ subject }) => subject.endsWith(userId));

  it('are removed without being published when a newer state is published during the retry', async () => {
    const userId = randomId();
    const deadSeq = await deadLetterOf(userId);
    const newer = async () => {
      await backend.nats.publish(subjectOf(claimMade, userId), claim(userId, 2), `claim:${userId}:2`);
    };
    expect(await retryDeadLetter(backend.nats, deadSeq, newer)).toBe('superseded');
    expect([await seqOf(userId), await placesOf(userId)]).toEqual(['2', []]);
  });

  it('of an event that never reached its stream replace an older state published during the retry', async () => {
    const userId = randomId();
    const subject = subjectOf(claimMade, userId);
    const owner = { ...backend.nats, service: 'rewards' };
    const event = { subject, payload: claim(userId, 3), msgId: `c:${userId}`, err: new Error('too large') };
    await deadLetterEvent(owner, event);
    const deadSeq = (await placesOf(userId))[0]?.deadSeq ?? 0;
    let older: Promise<unknown> | undefined;
    const before = async () => {
      older ??= backend.nats.publish(subject, claim(userId, 2), `claim:${userId}:2`);
      await older;
    };
    expect(await retryDeadLetter(backend.nats, deadSeq, before)).toBe('retried');
    expect([await seqOf(userId), await placesOf(userId)]).toEqual(['3', []]);
  });

  it('stay when their message is deleted during the retry, and nothing is published', async () => {
    const userId = randomId();
    const deadSeq = await deadLetterOf(userId);
    const erased = () => purgeSubject(backend.nats, subjectOf(claimMade, userId));
    await expect(retryDeadLetter(backend.nats, deadSeq, erased)).rejects.toThrow(/CORD_REWARDS has no message/);
    expect([await seqOf(userId), (await placesOf(userId)).length]).toEqual([undefined, 1]);
  });

  it('are all found, also an unreadable one, from the oldest to the newest at that time', async () => {
    const [user, other] = [randomId(), randomId()];
    const first = await deadLetterOf(user);
    const removed = await deadLetterOf(user);
    await backend.nats.jsm.streams.deleteMessage('CORD_DEAD', removed);
    const unreadable = (await backend.nats.js.publish(`cord.dead.v1.mining.CORD_REWARDS.${user}`, 'no letter')).seq;
    const more = Array.from({ length: DEAD_LETTERS_LISTED_MAX }, () => write(user, 'a', 1));
    const newest = Math.max(...(await Promise.all(more)));
    const places: number[] = [];
    for await (const place of deadLetterPlaces(backend.nats)) {
      if (places.length === 0) await deadLetterOf(other);
      places.push(place);
    }
    expect((await listDeadLetters(backend.nats)).at(-1)?.deadSeq).toBeLessThan(newest);
    expect(places.filter((place) => place >= first && place <= unreadable)).toEqual([first, unreadable]);
    expect(places.at(-1)).toBe(newest);
    await purgeDeadLetters(backend.nats, user);
    const query = { last_by_subj: `cord.dead.v1.*.*.${other}` };
    const letterOfOther = await backend.nats.jsm.streams.getMessage('CORD_DEAD', query);
    const left: number[] = [];
    for await (const place of deadLetterPlaces(backend.nats)) left.push(place);
    // An erasure leaves no letter of the user, however many a subject has.
    expect(left.filter((place) => place >= first)).toEqual([letterOfOther?.seq]);
  });

  it.each(['', 'a b', '>'])('forged with the subject “%s” are refused', async (subject) => {
    const deadSeq = await write(randomId(), subject, 1e9);
    await expect(retryDeadLetter(backend.nats, deadSeq)).rejects.toThrow(RangeError);
  });

  it.each([1, 2, 3])(
    'publish and remove nothing when read %i of the retry gets no response from NATS',
    async (failing) => {
      const userId = randomId();
      const deadSeq = await deadLetterOf(userId);
      const { jsm } = backend.nats;
      let reads = 0;
      const streams = Object.assign(Object.create(jsm.streams), {
        async getMessage(...query: Parameters<typeof jsm.streams.getMessage>) {
          reads += 1;
          if (reads === failing) throw new TimeoutError();
          return jsm.streams.getMessage(...query);
        },
      });
      const nats = { ...backend.nats, jsm: Object.assign(Object.create(jsm), { streams }) };
      const place = (await backend.nats.jsm.streams.info('CORD_REWARDS')).state.last_seq;
      await expect(retryDeadLetter(nats, deadSeq)).rejects.toBeInstanceOf(TimeoutError);
      expect((await backend.nats.jsm.streams.info('CORD_REWARDS')).state.last_seq).toBe(place);
      expect(await placesOf(userId)).toHaveLength(1);
    },
  );
});
