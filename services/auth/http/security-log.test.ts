import { userEndpoints } from '@cord/contracts/http/users';
import { createLogger } from '@cord/kit/log';
import { call } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { expect, it } from 'vitest';
import { meOf, startAuth } from '../test/auth.js';

const ADDRESS = '203.0.113.77';

const lines: string[] = [];
const log = createLogger('auth', 'info', { write: (line: string) => void lines.push(line) });
const auth = forAllTests(() => startAuth({ log, env: { RATE_LIMIT_SCALE: '1' } }));

/** What was logged of a user, oldest first. */
function linesOf(userId: string) {
  return lines
    .map((line) => JSON.parse(line))
    .filter((line) => line.userId === userId && line.msg !== 'request' && line.err === undefined);
}

it('each act of a user on their account is logged in one line, without address, token or name', async () => {
  const account = await auth.discord.account({ username: 'Lorelei' });
  const headers = {
    'x-forwarded-for': ADDRESS,
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
  };
  const browser = auth.browser();
  await browser.signIn({ account, headers });
  const { id, username } = (await meOf(browser)).user;
  await browser.send('POST', '/api/auth/logout', undefined, headers);
  await browser.signIn({ account, headers });
  const token = browser.cookies.get('cord') ?? '';
  await call(auth.url, userEndpoints.export, { params: { id }, token, headers });
  await call(auth.url, userEndpoints.remove, { params: { id }, token, headers, body: { confirm: username } });
  expect(linesOf(id).map(({ msg }) => msg)).toEqual([
    'signed in',
    'signed out',
    'signed in',
    'data exported',
    'account erased',
  ]);
  expect(linesOf(id)[0]).toMatchObject({ isNewUser: true, device: 'Firefox on Linux', requestId: expect.any(String) });
  const all = lines.join('');
  for (const secret of [ADDRESS, token, 'Lorelei', account]) expect(all).not.toContain(secret);
});

it('no address is stored in clear, although sign-ins are counted by address', async () => {
  const store = await auth.backend.storeOf('auth');
  const windows = await store.collection('rate_windows').find({}, { useBigInt64: false }).toArray();
  expect(windows.length).toBeGreaterThan(0);
  expect(JSON.stringify(windows)).not.toContain(ADDRESS);
});
