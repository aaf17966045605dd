import { subjectOf } from '@cord/contracts/events/envelope';
import { badgePurchased } from '@cord/contracts/events/rewards';
import { supportAnswered } from '@cord/contracts/events/support';
import { checkinPerformed } from '@cord/contracts/events/tasks';
import { anticheatAssessed } from '@cord/contracts/events/user';
import { supportEndpoints } from '@cord/contracts/http/support';
import { userEndpoints } from '@cord/contracts/http/users';
import { excusedRpc } from '@cord/contracts/rpc/checkin';
import { DAY_MS, dayKey } from '@cord/contracts/rules/days';
import { ANTICHEAT_CACHE_MS } from '@cord/contracts/rules/timings';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { allPages } from '@cord/kit/testing/pages';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, type Person, startAuth } from '../test/auth.js';
import { hash32, mineAt, publish, publishTimes } from '../test/events.js';

const auth = forAllTests(() => startAuth());
let admin: Person;

beforeAll(async () => {
  admin = await auth.signUp('boss');
  await auth.makeAdmin(admin);
});

async function people(count: number, name: string): Promise<Person[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => auth.signUp(`${name} ${index}`)));
}

const statusOf = async ({ token }: Person) => (await call(auth.url, supportEndpoints.anticheat, { token })).body;

async function mine(person: Person, addressHash: string, minutes = 61, seq = 1): Promise<void> {
  await mineAt(auth.backend.nats, auth.clock, { userId: person.id, addressHash, minutes, seq });
}

/** Waits until the person is seen at that many accounts. */
async function seenWith(person: Person, accounts: number) {
  return eventually(async () => {
    const status = await statusOf(person);
    return status.totalUsersOnIp === accounts && status;
  });
}

describe('the network check', () => {
  it('reports one account at an address as Clean, and two as Shared without a penalty', async () => {
    const [first, second] = (await people(2, 'pair')) as [Person, Person];
    await mine(first, 'a'.repeat(32));
    await eventually(async () => (await statusOf(first)).userIpCount === 1);
    expect(await statusOf(first)).toMatchObject({ levelName: 'Clean', efficiencyMultiplier: 1, isFlagged: false });
    await mine(second, 'a'.repeat(32));
    for (const one of [first, second]) {
      expect(await seenWith(one, 2)).toMatchObject({
        levelName: 'Shared',
        isFlagged: true,
        penaltyLevel: 0,
        efficiencyMultiplier: 1,
        otherUsersOnIp: 1,
        mayAppeal: false,
      });
    }
  });

  it('reduces the rate of three accounts at an address to 75% and publishes it for mining', async () => {
    const three = await people(3, 'trio');
    for (const one of three) await mine(one, 'b'.repeat(32));
    for (const one of three) {
      expect(await seenWith(one, 3)).toMatchObject({
        penaltyLevel: 1,
        levelName: 'Level 1',
        efficiencyMultiplier: 0.75,
        mayAppeal: true,
      });
      const assessed = await eventually(async () => {
        const subject = `cord.anticheat.v1.assessed.${one.id}`;
        const last = await auth.backend.nats.jsm.streams.getMessage('CORD_USERS', { last_by_subj: subject });
        const event = last && anticheatAssessed.schema.parse(last.json());
        return event?.level === 1 && event;
      });
      expect(assessed).toMatchObject({ factorHundredths: 75, usersOnAddress: 3, addressKey: 'b'.repeat(32) });
    }
  });

  it('counts mining at the addresses of the node’s contacts, not where the node was started', async () => {
    const three = await people(3, 'vpn');
    const mined = async (one: Person, seq: number, lineMinutes: number) => {
      const vpn = { hash: hash32(`vpn of ${one.id}`), ms: 10_000 };
      const line = { hash: hash32('the line'), ms: lineMinutes * 60_000 };
      await publishTimes(auth.backend.nats, auth.clock, { userId: one.id, seq, addresses: [vpn, line] });
    };
    for (const one of three) await mined(one, 1, 59);
    for (const one of three) await eventually(async () => (await statusOf(one)).userIpCount === 2);
    for (const one of three) expect((await statusOf(one)).isFlagged).toBe(false);
    for (const one of three) await mined(one, 2, 61);
    for (const one of three) expect(await seenWith(one, 3)).toMatchObject({ penaltyLevel: 1, userIpCount: 2 });
  });

  it('ignores less than an hour at an address, and a user who moves away no longer counts there', async () => {
    const [stays, moves, guest] = (await people(3, 'move')) as [Person, Person, Person];
    await mine(stays, 'c'.repeat(32));
    await mine(moves, 'c'.repeat(32));
    await mine(guest, 'c'.repeat(32), 59);
    await seenWith(stays, 2);
    expect((await statusOf(guest)).isFlagged).toBe(false);
    await auth.clock.advance(ANTICHEAT_CACHE_MS);
    await mine(moves, 'd'.repeat(32), 120, 2);
    expect(await seenWith(stays, 1)).toMatchObject({ levelName: 'Clean', isFlagged: false });
    expect(await statusOf(moves)).toMatchObject({ totalUsersOnIp: 1, userIpCount: 2 });
  });

  it('ignores mining older than 30 days', async () => {
    const [old, present] = (await people(2, 'month')) as [Person, Person];
    await mine(old, 'e'.repeat(32));
    await mine(present, 'e'.repeat(32));
    await seenWith(present, 2);
    await auth.clock.advance(29 * 86_400_000);
    const again = await auth.signUp('month 1 again');
    await mine(again, 'e'.repeat(32));
    await auth.clock.advance(2 * 86_400_000);
    const fresh = await auth.signUp('watcher');
    expect((await statusOf(fresh)).totalUsersOnIp).toBe(1);
    await eventually(async () => {
      const list = await addresses();
      return !list.some(({ key }) => key === 'e'.repeat(32));
    });
  });

  async function addresses() {
    const token = await freshAdminToken();
    return (await call(auth.url, supportEndpoints.addresses, { token })).body.addresses;
  }

  async function freshAdminToken(): Promise<string> {
    const list = await auth.signUp('boss again');
    await auth.makeAdmin(list);
    admin = list;
    return list.token;
  }
});

describe('appeals, admins and the audit log', () => {
  it('an appeal is accepted from level 1 on, once, and a clear restores the full rate within the call', async () => {
    const three = await people(3, 'appeal');
    const [user] = three as [Person, Person, Person];
    const appeal = { kind: 'appeal', subject: 'Shared flat', text: 'Three of us live in one flat.' };
    const file = () => call(auth.url, supportEndpoints.file, { token: user.token, body: appeal });
    expect((await file()).status).toBe(422);
    for (const one of three) await mine(one, 'f'.repeat(32));
    await seenWith(user, 3);
    const answers = await Promise.all([file(), file(), file()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const filed = answers.find(({ status }) => status === 201) ?? (await file());
    expect((await file()).status).toBe(409);

    const body = { cleared: true, reason: 'A flat of three' };
    const params = { id: user.id };
    const cleared = await call(auth.url, supportEndpoints.changeUser, { token: admin.token, params, body });
    expect(cleared.body.anticheat).toMatchObject({ efficiencyMultiplier: 1, cleared: true });
    const answering = { params: { id: filed.body.id }, body: { answer: 'Cleared. Sorry!', close: true } };
    const answered = await call(auth.url, supportEndpoints.answer, { token: admin.token, ...answering });
    expect(answered.body).toMatchObject({ status: 'closed', answer: 'Cleared. Sorry!', username: 'appeal 0' });
    const last_by_subj = subjectOf(supportAnswered, user.id, filed.body.id);
    const event = () => auth.backend.nats.jsm.streams.getMessage('CORD_USERS', { last_by_subj });
    const network = { level: 0, isFlagged: false, wholeSince: expect.any(Number) };
    await expect.poll(async () => (await event())?.json()).toMatchObject({ kind: 'appeal', network });
    const mine0 = await call(auth.url, supportEndpoints.mine, { token: user.token });
    expect(mine0.body[0]).toMatchObject({ id: filed.body.id, status: 'closed', answer: 'Cleared. Sorry!' });

    const log = await call(auth.url, supportEndpoints.audit, { token: admin.token, query: { limit: 2 } });
    expect(log.body.entries.map(({ action, target, adminId }) => ({ action, target, adminId }))).toEqual([
      { action: 'support.closed', target: filed.body.id, adminId: admin.id },
      { action: 'user.cleared', target: user.id, adminId: admin.id },
    ]);
  });

  it('a user has at most ten open requests, even when they are sent concurrently', async () => {
    const user = await auth.signUp('eager');
    const body = { kind: 'support' as const, subject: 'One of many', text: 'It does not work at all.' };
    const file = () => call(auth.url, supportEndpoints.file, { token: user.token, body });
    for (let filed = 0; filed < 8; filed += 1) expect((await file()).status).toBe(201);
    const answers = await Promise.all(Array.from({ length: 4 }, file));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422]);
  });

  it('an address marked as shared reduces no rate until the mark is removed', async () => {
    const three = await people(3, 'school');
    const key = '1'.repeat(32);
    for (const one of three) await mine(one, key);
    await seenWith(three[0] as Person, 3);
    const mark = (shared: boolean) =>
      call(auth.url, supportEndpoints.markAddress, {
        token: admin.token,
        params: { key },
        body: { shared, reason: 'A school' },
      });
    expect((await mark(true)).body).toEqual({ key, shared: true });
    for (const one of three) {
      expect(await statusOf(one)).toMatchObject({ efficiencyMultiplier: 1, cleared: true, totalUsersOnIp: 3 });
    }
    const listed = await call(auth.url, supportEndpoints.addresses, { token: admin.token });
    expect(listed.body.addresses.find((address) => address.key === key)).toMatchObject({
      users: 3,
      shared: true,
      level: 0,
    });
    await mark(false);
    expect(await statusOf(three[0] as Person)).toMatchObject({ efficiencyMultiplier: 0.75 });
    const unknown = await call(auth.url, supportEndpoints.markAddress, {
      token: admin.token,
      params: { key: '2'.repeat(32) },
      body: { shared: true, reason: 'Nothing there' },
    });
    expect(unknown.status).toBe(404);
  });

  it('badge holders come first in the queue, even if the badge came after the request', async () => {
    const [plain, holder] = (await people(2, 'queue')) as [Person, Person];
    const file = (person: Person, subject: string) =>
      call(auth.url, supportEndpoints.file, {
        token: person.token,
        body: { kind: 'support', subject, text: 'It does not work at all.' },
      });
    await file(plain, 'waited longer');
    await file(holder, 'holds the badge');
    await publish(auth.backend.nats, badgePurchased, holder.id, 1, { orderId: 'o', purchasedAt: 0, transaction: 't' });
    const subjects = await eventually(async () => {
      const { body } = await call(auth.url, supportEndpoints.queue, { token: admin.token, query: { status: 'open' } });
      return body.requests[0]?.priority && body.requests.map(({ subject }) => subject);
    });
    expect(subjects.indexOf('holds the badge')).toBeLessThan(subjects.indexOf('waited longer'));
  });

  it('the queue is read to the end page by page in one order, even while requests are answered and authors erased', async () => {
    const writers = await people(3, 'pages');
    for (const { token } of writers) {
      const body = { kind: 'support' as const, subject: 'one of many', text: 'It does not work at all.' };
      await call(auth.url, supportEndpoints.file, { token, body });
    }
    const page = async (query: Record<string, string>) =>
      (await call(auth.url, supportEndpoints.queue, { token: admin.token, query })).body;
    for (const given of [{}, { status: 'open' }]) {
      const { requests: all, nextCursor } = await page(given);
      expect(nextCursor).toBeNull();
      const paged = await allPages((query) => page({ ...given, ...query, limit: '1' }));
      expect(paged.map(({ requests }) => requests)).toEqual(all.map((request) => [request]));
      expect(all.some(({ priority }) => priority)).toBe(true);
      const many = all.filter(({ subject }) => subject === 'one of many');
      expect(many.map(({ username }) => username).sort()).toEqual(['pages 0', 'pages 1', 'pages 2']);
    }

    const { requests: open } = await page({ status: 'open' });
    const { nextCursor } = await page({ status: 'open', limit: `${open.length - 1}` });
    const [last, before] = [open.at(-1), open.at(-2)];
    const answer = { params: { id: before?.id ?? '' }, body: { answer: 'Done.', close: false } };
    await call(auth.url, supportEndpoints.answer, { token: admin.token, ...answer });
    const rest = () => page({ status: 'open', cursor: nextCursor ?? '' });
    expect(await rest()).toEqual({ requests: [last], nextCursor: null });
    const author = writers.find(({ id }) => id === before?.userId);
    const gone = { token: author?.token ?? '', params: { id: author?.id ?? '' } };
    const confirm = { confirm: before?.username ?? '' };
    expect((await call(auth.url, userEndpoints.remove, { ...gone, body: confirm })).status).toBe(204);
    expect(await rest()).toEqual({ requests: [last], nextCursor: null });
  });

  it('a granted or removed role takes effect within a second', async () => {
    const helper = await auth.signUp('helper');
    const queue = async () => (await call(auth.url, supportEndpoints.queue, { token: helper.token })).status;
    const change = (isAdmin: boolean) =>
      call(auth.url, supportEndpoints.changeUser, {
        token: admin.token,
        params: { id: helper.id },
        body: { admin: isAdmin, reason: 'Helps out' },
      });
    expect(await queue()).toBe(403);
    expect((await change(true)).body).toMatchObject({ isAdmin: true });
    await eventually(async () => (await queue()) === 200);
    await change(false);
    await eventually(async () => (await queue()) === 403);
  });

  it('an admin cannot remove their own role', async () => {
    const answer = await call(auth.url, supportEndpoints.changeUser, {
      token: admin.token,
      params: { id: admin.id },
      body: { admin: false, reason: 'Oops' },
    });
    expect(answer.status).toBe(422);
  });
});

describe('the streak in the operators’ record', () => {
  it('survives days that tasks excuses, and is null while tasks does not respond', async () => {
    const user = await auth.signUp('streak');
    const [missed, last] = [1, 2].map((days) => dayKey(auth.clock.now() - days * DAY_MS)) as [string, string];
    const state = { dayKey: last, streak: 9, longestStreak: 9, totalCheckIns: 9, rewardMicro: '1', bonusMicro: '0' };
    await publish(auth.backend.nats, checkinPerformed, user.id, 9, state);
    const streakOf = async () =>
      (await call(auth.url, supportEndpoints.userDetail, { token: admin.token, params: { id: user.id } })).body.streak;
    expect(await streakOf()).toBeNull();
    const days: { dayKey: string; reason: 'outage' }[] = [];
    const serving = auth.backend.nats.serve(excusedRpc, async () => ({ days, today: false }));
    await expect.poll(streakOf).toEqual({ days: 0, today: false });
    days.push({ dayKey: missed, reason: 'outage' });
    await expect.poll(streakOf).toEqual({ days: 9, today: false });
    await serving.stop();
  });
});
