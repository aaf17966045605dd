import { badgePurchased } from '@cord/contracts/events/rewards';
import { authEndpoints } from '@cord/contracts/http/auth';
import { supportEndpoints } from '@cord/contracts/http/support';
import { userEndpoints } from '@cord/contracts/http/users';
import { monitorCommands, monitoredUri } from '@cord/kit/testing/command-monitor';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { afterAll, describe, expect, it } from 'vitest';
import * as capabilities from '../../../infra/embedded-mongo/capabilities.js';
import { eventually, meOf, startAuth } from '../test/auth.js';
import { mineAt, publish } from '../test/events.js';

const monitor = monitorCommands();
const auth = forAllTests(() => startAuth({ mongodbUri: monitoredUri, env: { RATE_LIMIT_SCALE: '1000' } }));

afterAll(() => monitor.stop());

async function signUp(username: string) {
  const browser = auth.browser();
  await browser.signIn({ account: await auth.discord.account({ username }), ref: 'ABCD1234' });
  const { user } = await meOf(browser);
  return { id: user.id, username, token: browser.cookies.get('cord') ?? '' };
}

describe('what auth sends to the store', () => {
  it('is within what the embedded server supports, whatever auth is called for', async () => {
    const [boss, one, two, three] = await Promise.all(['boss', 'one', 'two', 'three'].map(signUp));
    if (!boss || !one || !two || !three) throw new Error('no user signed in');
    await auth.makeAdmin(boss);
    const { nats } = auth.backend;
    for (const { id: userId } of [one, two, three]) {
      await mineAt(nats, auth.clock, { userId, addressHash: 'a'.repeat(32), minutes: 90, seq: 1 });
    }
    await publish(nats, badgePurchased, one.id, 1, { orderId: 'o', purchasedAt: 0, transaction: 't' });
    await eventually(
      async () => (await call(auth.url, supportEndpoints.anticheat, { token: one.token })).body.penaltyLevel === 1,
    );
    const own = { token: one.token, params: { id: one.id } };
    const text = { subject: 'Please look', text: 'We are three in one flat.' };
    const filed = await call(auth.url, supportEndpoints.file, { ...own, body: { kind: 'appeal', ...text } });
    for (const endpoint of [
      userEndpoints.get,
      userEndpoints.getSettings,
      userEndpoints.export,
      authEndpoints.sessions,
    ]) {
      expect((await call(auth.url, endpoint, own)).status).toBe(200);
    }
    await call(auth.url, userEndpoints.byUsername, { ...own, params: { username: 'TWO' } });
    await call(auth.url, userEndpoints.update, { ...own, body: { theme: 'dark' } });
    await call(auth.url, authEndpoints.endSessions, own);
    const admin = { token: boss.token, params: { id: filed.body.id, key: 'a'.repeat(32) } };
    const reason = 'A flat of three';
    expect((await call(auth.url, supportEndpoints.answer, { ...admin, body: { answer: 'Fine' } })).status).toBe(200);
    expect(
      (await call(auth.url, supportEndpoints.markAddress, { ...admin, body: { shared: true, reason } })).status,
    ).toBe(200);
    for (const endpoint of [supportEndpoints.queue, supportEndpoints.audit, supportEndpoints.addresses]) {
      expect((await call(auth.url, endpoint, admin)).status).toBe(200);
    }
    await call(auth.url, supportEndpoints.mine, own);
    expect((await call(auth.url, userEndpoints.remove, { ...own, body: { confirm: 'one' } })).status).toBe(204);
    await call(auth.url, authEndpoints.logout, { token: two.token });
    await auth.clock.advance(40 * 86_400_000);
    await auth.restart();

    expect(monitor.outside(capabilities)).toEqual([]);
    expect(monitor.seen()).toEqual(expect.arrayContaining(['find', 'insert', 'update', 'delete', 'findAndModify']));
  });
});
