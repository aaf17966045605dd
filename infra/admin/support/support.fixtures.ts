import type { AddressRecord, AdminSupportRequest } from '@cord/contracts/http/support';
import {
  at,
  problem,
  SAMPLE_NOW_MS,
  sampleCheck,
  sampleUser,
  type TestSdk,
  type TestSdkOptions,
} from '@cord/sdk/testing';
import { overviewSdk } from '../overview/overview.fixtures';

const MINUTE_MS = 60_000;
const KEY = `8ae1${'0'.repeat(24)}04f2`;
const idOf = (n: number) => `4c1${n.toString(16)}${'7'.repeat(28)}`;
const agoOf = (minutes: number) => new Date(SAMPLE_NOW_MS - minutes * MINUTE_MS).toISOString();

export function sampleCase(n: number, changes: Partial<AdminSupportRequest> = {}): AdminSupportRequest {
  return {
    id: idOf(n),
    kind: 'appeal',
    subject: 'We are a family of four, one router',
    text: 'My wife, our two sons and I each have our own Discord account. We live in one house with one router.\n\nPlease look at it.',
    status: 'open',
    answer: null,
    createdAt: agoOf(320),
    answeredAt: null,
    userId: n.toString(16).padStart(32, 'c'),
    username: 'harbour_77',
    priority: false,
    taken: null,
    ...changes,
  };
}

export const CASES: readonly AdminSupportRequest[] = [
  sampleCase(1, {
    kind: 'refund',
    username: 'BlueHeron',
    subject: 'Paid twice from two wallets',
    priority: true,
    createdAt: agoOf(64),
  }),
  sampleCase(2),
  sampleCase(3, { kind: 'support', username: 'gus', subject: 'My streak says 4, it was 5', createdAt: agoOf(12) }),
];
export const APPEAL = sampleCase(2);

export function sampleAddress(changes: Partial<AddressRecord> = {}): AddressRecord {
  const hours = (here: number, elsewhere: number, firstDay: string | null) => ({
    firstDay,
    minedHereMs: here * 60 * MINUTE_MS,
    minedElsewhereMs: elsewhere * 60 * MINUTE_MS,
  });
  return {
    key: KEY,
    users: 4,
    level: 2,
    shared: false,
    seenAt: agoOf(1),
    accounts: [
      { userId: APPEAL.userId, username: 'harbour_77', account_age: 9.1, ...hours(212, 3, '2026-10-28') },
      { userId: 'd'.repeat(32), username: 'e_harbour', account_age: 6.4, ...hours(148.9, 40.9, '2026-10-28') },
      { userId: 'e'.repeat(32), username: 'finn.h', account_age: 2.2, ...hours(87, 66, '2026-11-02') },
      { userId: 'f'.repeat(32), username: 'kasper_08', account_age: 1.3, ...hours(51, 0, null) },
    ],
    ...changes,
  };
}

const CLEAN = sampleCheck({ checkedAt: agoOf(2) });

/** An sdk of an operator who has Support open. Its server filters the queue. */
export function supportSdk(open: string | null = null, options: TestSdkOptions = {}): TestSdk {
  const sdk = overviewSdk(options);
  sdk.tabs.setParam('admin', 'view', 'support');
  sdk.tabs.setParam('admin', 'case', open);
  const cases = new Map(CASES.map((request) => [request.id, request]));
  const found = (id: string) => {
    const request = cases.get(id);
    if (!request) throw problem(404, 'Request not found', 'no-such-request');
    return request;
  };
  const change = (id: string, changes: Partial<AdminSupportRequest>) => {
    cases.set(id, { ...found(id), ...changes });
    return found(id);
  };
  sdk.api
    .on(at.support.queue, ({ query }) => ({
      requests: [...cases.values()].filter(
        ({ kind, status, username }) =>
          (query?.kind === undefined || kind === query.kind) &&
          status === query?.status &&
          username.toLowerCase().startsWith(query?.search?.toLowerCase() ?? ''),
      ),
      nextCursor: null,
    }))
    .on(at.support.oneCase, ({ params }) => found(params?.id ?? ''))
    .on(at.support.take, ({ params, body }) => {
      const { id, username } = sampleUser();
      return change(params?.id ?? '', { taken: body?.taken ? { by: id, username, at: agoOf(0) } : null });
    })
    .on(at.support.answer, ({ params, body }) =>
      change(params?.id ?? '', {
        status: body?.close ? 'closed' : 'answered',
        answer: body?.answer ?? '',
        answeredAt: agoOf(0),
        taken: null,
      }),
    )
    .on(at.support.address, sampleAddress())
    .on(at.support.markAddress, { key: KEY, shared: true })
    .on(at.support.userDetail, ({ params }) => {
      const appeals = params?.id === APPEAL.userId;
      const anticheat = appeals
        ? { ...CLEAN, efficiencyMultiplier: 0.5, penaltyLevel: 2, levelName: 'Level 2' }
        : CLEAN;
      return {
        ...sampleUser({ id: params?.id ?? '', username: 'harbour_77', rate: 2.75 }),
        anticheat,
        addressKey: appeals ? KEY : null,
        support: [{}, {}],
      };
    })
    .on(at.support.changeUser, ({ params }) => ({ ...sampleUser({ id: params?.id ?? '' }), anticheat: CLEAN }));
  return sdk;
}
