import { displayedAge, snowflakeToMs } from '@cord/contracts/rules/age';
import { FIRST_BOOK } from '@cord/contracts/rules/rule-book';
import { tierHundredths } from '@cord/contracts/rules/tiers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Console, openConsole } from './console.js';

let site: Console;
beforeEach(async () => {
  site = await openConsole();
});
afterEach(() => site.close());

describe('the accounts of the Discord stand-in', () => {
  test('include one of each tier from the start', async () => {
    const accounts = (await (await site.call('/dev/discord/accounts')).json()) as { id: string }[];
    const tiers = accounts.map(({ id }) => tierHundredths(FIRST_BOOK, Date.now() - snowflakeToMs(id)));
    expect(new Set(tiers)).toEqual(new Set([100n, 120n, 150n, 200n, 250n, 350n, 500n, 700n, 1000n]));
  });

  test('get their age from the movable clock', async () => {
    await site.json('/dev/clock', { advance: '365d' });
    const { now } = (await (await site.call('/dev/clock')).json()) as { now: string };
    const born = await site.newAccount({ username: 'today' });
    expect(Math.abs(snowflakeToMs(born) - Date.parse(now))).toBeLessThan(10_000);
    const tomorrow = new Date(Date.now() + 300 * 86_400_000).toISOString();
    const age = displayedAge(
      snowflakeToMs(await site.newAccount({ username: 'later', createdAt: tomorrow })),
      Date.parse(now),
    );
    expect(age).toBe(0.1);
  });

  test.each<[object, string]>([
    [{}, 'username'],
    [{ username: '' }, 'username'],
    [{ username: 'x'.repeat(33) }, 'username'],
    [{ username: 'a\u0000b' }, 'username'],
    [{ username: 'ada', createdAt: 'once' }, 'createdAt'],
    [{ username: 'ada', createdAt: '2014-12-31' }, 'createdAt'],
    [{ username: 'ada', createdAt: '2999-01-01' }, 'createdAt'],
    [{ username: 'ada', avatar: '../x' }, 'avatar'],
    [{ username: 'ada', email: 'a@b.c' }, 'body'],
  ])('%j is rejected, naming the field', async (body, field) => {
    const answer = await site.json('/dev/discord/accounts', body);
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: string }).error).toContain(field);
  });

  test('have the picture that Discord would serve, the same each time', async () => {
    const id = await site.newAccount({ username: 'seen', avatar: 'a1b2c3' });
    const picture = async () => {
      const answer = await site.call(`/dev/discord/cdn/avatars/${id}/a1b2c3.png?size=128`);
      return { type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    const { type, bytes } = await picture();
    expect(type).toBe('image/png');
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect((await picture()).bytes.equals(bytes)).toBe(true);
    expect((await site.call(`/dev/discord/cdn/avatars/${id}/other.png`)).status).toBe(404);
  });

  test('survive a restart', async () => {
    const id = await site.newAccount({ username: 'kept' });
    const again = await openConsole(site.folder);
    const accounts = (await (await again.call('/dev/discord/accounts')).json()) as { id: string }[];
    expect(accounts.map((account) => account.id)).toContain(id);
    expect(accounts).toHaveLength(10);
    await again.close();
  });

  test('get unique ids and all survive when 100 are created at once', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, (_, n) => site.newAccount({ username: `racer${n}` })));
    expect(new Set(ids).size).toBe(100);
    const again = await openConsole(site.folder);
    expect((await (await again.call('/dev/discord/accounts')).json()) as unknown[]).toHaveLength(109);
    await again.close();
  });
});
