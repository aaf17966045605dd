import { supportEndpoints } from '@cord/contracts/http/support';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, expect, it } from 'vitest';
import { eventually, meOf, PUBLIC_ORIGIN, startAuth } from '../test/auth.js';
import { createBrowser } from '../test/browser.js';

/* As outside local mode: who is an admin has a second factor at Discord. */

const auth = forAllTests(() => startAuth({ needsSecondFactor: true }));
/** Of a replica whose list of admins has the first two accounts. */
let url: string;
let protectedId: string;
let bareId: string;
beforeAll(async () => {
  protectedId = await auth.discord.account({ username: 'chief' });
  bareId = await auth.discord.account({ username: 'bare', secondFactor: false });
  url = (await auth.replica({ env: { ADMIN_DISCORD_IDS: `${protectedId},${bareId}` } })).url;
});

async function signIn(account: string) {
  const browser = createBrowser(url, PUBLIC_ORIGIN);
  const at = await browser.signIn({ account });
  return { at, browser, token: browser.cookies.get('cord') ?? '' };
}
const give = (token: string, id: string) =>
  call(url, supportEndpoints.changeUser, { token, params: { id }, body: { admin: true, reason: 'Helps out' } });
/** Discord answers at the next sign-in that the account has no second factor. */
const withoutFactor = (id: string, username: string) =>
  auth.discord.faults.push({
    path: '/users/@me',
    status: 200,
    body: JSON.stringify({ id, username, discriminator: '0', mfa_enabled: false }),
  });

it('a listed user is an admin with a second factor, and without one gets auth_error=second_factor', async () => {
  const chief = await signIn(protectedId);
  expect((await meOf(chief.browser)).user).toMatchObject({ username: 'chief', isAdmin: true });
  for (let times = 0; times < 2; times += 1) expect((await signIn(bareId)).at).toBe('/?auth_error=second_factor');
});

it('the role requires a second factor: it is not granted without one, and is removed when the factor is gone', async () => {
  const chief = await signIn(protectedId);
  const bare = await auth.discord.account({ username: 'helper.bare', secondFactor: false });
  const refused = await give(chief.token, (await meOf((await signIn(bare)).browser)).user.id);
  expect([refused.status, refused.problem.type]).toEqual([422, 'no-second-factor']);

  const account = await auth.discord.account({ username: 'helper' });
  const helper = await signIn(account);
  const { id } = (await meOf(helper.browser)).user;
  expect((await give(chief.token, id)).status).toBe(200);
  const mayLook = async () => (await call(url, supportEndpoints.audit, { token: helper.token, query: {} })).status;
  await eventually(async () => (await mayLook()) === 200);

  withoutFactor(account, 'helper');
  expect((await signIn(account)).at).toBe('/?auth_error=second_factor');
  await eventually(async () => (await mayLook()) === 403);
  const query = { act: 'role.user', limit: 1 };
  const { entries } = (await call(url, supportEndpoints.audit, { token: chief.token, query })).body;
  expect(entries).toMatchObject([{ target: id, detail: { by: 'second-factor' } }]);

  withoutFactor(account, 'helper');
  const again = await signIn(account);
  expect([again.at, (await meOf(again.browser)).user.isAdmin]).toEqual(['/?welcome=back', false]);
});
