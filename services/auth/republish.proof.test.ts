import { sessionOpened, userSettings } from '@cord/contracts/events/user';
import { supportEndpoints } from '@cord/contracts/http/support';
import { userEndpoints } from '@cord/contracts/http/users';
import { stateOf } from '@cord/kit/nats/state-of';
import { call, randomId } from '@cord/kit/testing/index';
import { testRepublishing } from '@cord/kit/testing/republish';
import { expect } from 'vitest';
import { eventually, meOf, startAuth } from './test/auth.js';
import { hash32, mineAt } from './test/events.js';

testRepublishing('auth', async () => {
  const auth = await startAuth();
  const { nats } = auth.backend;
  const make = async () => {
    const username = `user${randomId().slice(0, 8)}`;
    const account = await auth.discord.account({ username, createdAt: '2018-08-08' });
    const browser = auth.browser();
    await browser.signIn({ account });
    return { account, username, browser };
  };
  const idOf = async ({ browser }: Awaited<ReturnType<typeof make>>) => (await meOf(browser)).user.id;
  return {
    backend: auth.backend,
    streams: {
      // What is published anew is published as a registration, which has all fields of an update.
      CORD_USERS: (subject, payload) => [subject.replace('.updated.', '.registered.'), payload],
    },
    // Who has signed in again, whose registration is of the first time.
    alsoPublished: 1,
    make,
    async finish() {
      const [again, gone, one, other] = [await make(), await make(), await make(), await make()];
      // A second sign-in is an update, and one from a new device is published.
      const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0' };
      await auth.browser().signIn({ account: again.account, headers });
      const { id } = (await meOf(again.browser)).user;
      await eventually(async () => (await stateOf(nats, sessionOpened, id))?.opened[0]?.device === 'Firefox on Linux');
      const chosen = { token: one.browser.cookies.get('cord') ?? '', params: { id: await idOf(one) } };
      const choosing = await call(auth.url, userEndpoints.putSettings, {
        ...chosen,
        body: { notices: { rank: 'off' } },
      });
      expect(choosing.status).toBe(200);
      await eventually(async () => (await stateOf(nats, userSettings, chosen.params.id)) !== null);
      const request = { kind: 'support', subject: 'A question', text: 'How does the streak work?' };
      const filed = await call(auth.url, supportEndpoints.file, { ...chosen, body: request });
      const boss = await auth.signUp('boss', { createdAt: '2018-08-08' });
      await auth.makeAdmin(boss);
      const answering = {
        token: boss.token,
        params: { id: filed.body.id },
        body: { answer: 'Like this.' },
      };
      await eventually(async () => (await call(auth.url, supportEndpoints.answer, answering)).status === 200);
      const housemates = [await idOf(one), await idOf(other)];
      const addressHash = hash32('a network');
      for (const userId of housemates) await mineAt(nats, auth.clock, { userId, addressHash, minutes: 90, seq: 1 });
      const assessed = (userId: string) =>
        nats.jsm.streams.getMessage('CORD_USERS', { last_by_subj: `cord.anticheat.v1.assessed.${userId}` });
      for (const userId of housemates) await eventually(async () => (await assessed(userId)) !== null);
      const [token, params] = [gone.browser.cookies.get('cord') ?? '', { id: await idOf(gone) }];
      const erasing = await call(auth.url, userEndpoints.remove, { token, params, body: { confirm: gone.username } });
      expect(erasing.status).toBe(204);
    },
    stop: auth.stop,
  };
});
