import { serveHttp } from '@cord/kit/testing/http-server';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { beforeAll, describe, expect, it } from 'vitest';
import { avatarData, avatarPath } from '../domain/avatar.js';
import { meOf, PUBLIC_ORIGIN, startAuth } from '../test/auth.js';
import { createBrowser } from '../test/browser.js';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const auth = forAllTests(() => startAuth());
const requested: string[] = [];
const cdn = forAllTests(() =>
  serveHttp((req, res) => {
    requested.push(req.url ?? '');
    const type = req.url?.includes('script') ? 'text/html' : 'image/png';
    const status = [404, 503].find((code) => req.url?.includes(`status_${code}`)) ?? 200;
    res.writeHead(status, { 'content-type': type }).end(PNG);
  }),
);
let url: string;
beforeAll(async () => {
  url = (await auth.replica({ discord: { cdnUrl: cdn.url } })).url;
});

async function pictureOf(avatar: string) {
  const account = await auth.discord.account({ username: 'pictured', avatar });
  const browser = createBrowser(url, PUBLIC_ORIGIN);
  await browser.signIn({ account });
  const { user } = await meOf(browser);
  return { account, path: user.avatar ?? '' };
}

describe('a user’s picture', () => {
  it('comes from our own origin, without the Discord id in its URL, and is fetched from Discord once', async () => {
    const { account, path } = await pictureOf('a_1269e74af4df7417b13759eae50c83dc');
    expect(path).toMatch(/^\/api\/users\/[0-9a-f]{32}\/avatar\?v=[0-9a-f]{12}$/);
    for (let again = 0; again < 2; again += 1) {
      const picture = await fetch(new URL(path, url));
      expect(picture.status).toBe(200);
      expect(picture.headers.get('content-type')).toBe('image/png');
      expect(picture.headers.get('x-content-type-options')).toBe('nosniff');
      expect(picture.headers.get('cache-control')).toBe('private, max-age=3600');
      expect(Buffer.from(await picture.arrayBuffer())).toEqual(PNG);
    }
    expect(requested).toEqual([`/avatars/${account}/a_1269e74af4df7417b13759eae50c83dc.png?size=128`]);
  });

  it('gets 404 if Discord’s response is not an image', async () => {
    const { path } = await pictureOf('script');
    expect((await fetch(new URL(path, url))).status).toBe(404);
  });

  it.each([
    [404, 1],
    [503, 2],
  ])('responds 404 when Discord responds %d, and calls Discord %d times for two requests', async (status, times) => {
    const { path } = await pictureOf(`status_${status}`);
    for (let visit = 0; visit < 2; visit += 1) expect((await fetch(new URL(path, url))).status).toBe(404);
    expect(requested.filter((address) => address.includes(`status_${status}`))).toHaveLength(times);
  });

  it('gets 404 for an unknown user', async () => {
    for (const id of ['0'.repeat(32), 'x', '$ne']) {
      expect((await fetch(`${url}/api/users/${id}/avatar`)).status).toBe(404);
    }
  });

  it('has a URL that changes with the picture', () => {
    const path = (avatar: string | null) => avatarPath({ _id: 'u', avatar });
    expect(path('one')).not.toBe(path('two'));
    expect(path('one')).toBe(path('one'));
    expect(path(null)).toBeNull();
  });

  it('is served from the data URL if it is a data image', () => {
    expect(avatarData(`data:image/png;base64,${PNG.toString('base64')}`)).toEqual({ type: 'image/png', bytes: PNG });
    expect(avatarData('a_hash')).toBeNull();
  });
});
