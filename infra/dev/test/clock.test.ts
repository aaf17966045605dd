import { text } from 'node:stream/consumers';
import { serveHttp } from '@cord/kit/testing/http-server';
import { stopAfterTest } from '@cord/kit/testing/lifetimes';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Console, openConsole } from './console.js';

let site: Console;
beforeEach(async () => {
  site = await openConsole();
});
afterEach(async () => {
  await site.close();
});

/** The operations port of a service that takes `takesMs` to apply a change; its calls would be on the port before. */
async function service(status = 200, takesMs = 0) {
  const requests: { path: string; body: string }[] = [];
  const operations = await serveHttp(async (request, response) => {
    const body = await text(request);
    await new Promise((done) => setTimeout(done, takesMs));
    requests.push({ path: `${request.method} ${request.url}`, body });
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"id":"x"}');
  });
  const { port } = stopAfterTest(operations);
  return { url: `http://127.0.0.1:${port - 1}`, requests };
}

const advance = (by: unknown) => site.json('/dev/clock', { advance: by });
const reading = async (answer: Response) => (await answer.json()) as { now: string; offsetMs: number };

describe('/dev/clock', () => {
  test.each([
    ['250ms', 250],
    ['90s', 90_000],
    ['10m', 600_000],
    ['25h', 90_000_000],
    ['1.5d', 129_600_000],
    ['1h30m', 5_400_000],
  ])('%s moves the clock by %i ms', async (by, ms) => {
    const moved = await reading(await advance(by));
    expect(moved.offsetMs).toBe(ms);
    expect(Math.abs(Date.parse(moved.now) - Date.now() - ms)).toBeLessThan(5_000);
    expect((await reading(await site.call('/dev/clock'))).offsetMs).toBe(ms);
  });

  test.each(['', '-1h', '1', 'h', '1w', '1h ago', 25, null, {}, '999999d'])(
    'rejects %j with 400 and moves nothing',
    async (by) => {
      expect((await advance(by)).status).toBe(400);
      expect((await reading(await site.call('/dev/clock'))).offsetMs).toBe(0);
    },
  );

  test('responds once every replica of every service has applied the move', async () => {
    const [one, two, slow] = [await service(), await service(), await service(200, 150)];
    await site.runs({
      mining: [{ url: one.url }, { url: two.url }],
      auth: [{ url: slow.url }],
      store: [{ url: 'http://127.0.0.1:1' }],
    });
    expect((await advance('25h')).status).toBe(200);
    for (const { requests } of [one, two, slow]) {
      expect(requests).toEqual([{ path: 'POST /dev/clock', body: '{"offsetMs":90000000}' }]);
    }
  });

  test('adds up two concurrent moves, one after the other', async () => {
    const slow = await service(200, 50);
    await site.runs({ mining: [{ url: slow.url }] });
    await Promise.all([advance('1h'), advance('2h')]);
    expect(slow.requests.map(({ body }) => JSON.parse(body).offsetMs)).toEqual([3_600_000, 10_800_000]);
  });

  test('reaches a replica that is being replaced', async () => {
    await site.runs({ mining: [{ url: 'http://127.0.0.1:1' }] });
    const moving = advance('1h');
    const back = await service();
    await site.runs({ mining: [{ url: back.url }] });
    expect((await moving).status).toBe(200);
    expect(back.requests).toHaveLength(1);
  });

  test('keeps the offset in the data folder across restarts', async () => {
    await advance('3d');
    const again = await openConsole(site.folder);
    expect((await reading(await again.call('/dev/clock'))).offsetMs).toBe(259_200_000);
    await again.close();
  });

  test('redirects the form back to the page', async () => {
    const answer = await site.form('/dev/clock', { advance: '1h' });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/dev');
  });
});

describe('/dev/users/{id}/admin', () => {
  test('calls auth on its operations port and passes the response on', async () => {
    const auth = await service(200);
    await site.runs({ auth: [{ url: auth.url }] });
    const answer = await site.json(`/dev/users/${'a'.repeat(32)}/admin`, {});
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ id: 'x' });
    expect(auth.requests[0]?.path).toBe(`POST /dev/users/${'a'.repeat(32)}/admin`);
  });

  test('responds with 503 while auth is down', async () => {
    expect((await site.json('/dev/users/x/admin', {})).status).toBe(503);
  });
});

test('writes from another site’s page get 403 on the console’s own port too', async () => {
  const answer = await site.call('/dev/clock', {
    method: 'POST',
    headers: { origin: 'http://evil.example' },
    body: '{}',
  });
  expect(answer.status).toBe(403);
});

test('/dev shows its tools without a script', async () => {
  const page = await (await site.call('/dev')).text();
  for (const text of ['Clock', 'Discord stand-in', 'Admins', '/dev/faults']) expect(page).toContain(text);
  expect(page).not.toContain('<script');
});
