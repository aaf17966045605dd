import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@cord/kit/log';
import { expect, test } from 'vitest';
import { lineFile, origin, recorded } from './origin.js';

/** Writes the files of a shell, and the line that puts it in use. */
async function ship(site: { folder: string }, seq: number, letter: string, sdk: string) {
  for (const [name, text] of Object.entries(filesOf(letter))) {
    const file = join(site.folder, 'store/shell', `1.0.0-${letter}`, name);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
  }
  await use(site, seq, letter, sdk);
}

function filesOf(letter: string): Record<string, string> {
  return {
    'index.html': `<!doctype html><title>shell ${letter}</title><script nonce="__CSP_NONCE__" src="/assets/${letter}.js"></script>`,
    [`assets/${letter}.js`]: `code of ${letter}`,
    'offline.html': `<style>${letter}</style><script>${letter}</script>`,
    'favicon.svg': `<svg>${letter}</svg>`,
  };
}

async function use(site: { folder: string }, seq: number, letter: string, sdk: string) {
  const file = join(site.folder, 'store', lineFile(seq, 'shell'));
  await mkdir(join(file, '..'), { recursive: true });
  const when = new Date(seq).toISOString();
  const line = { seq, action: 'publish', version: `1.0.0-${letter}`, from: null, when, who: 'ann', by: 'person' };
  await writeFile(
    file,
    JSON.stringify({ ...line, sdk, ui: '2.0.0', exposes: [], size: 0, files: recorded(filesOf(letter)) }),
  );
}

test('the page, single files and /remotes.json are of the current shell, /assets of every kept shell', async () => {
  const site = await origin();
  const text = async (path: string) => (await site.call(path)).text;
  expect(await text('/')).toContain('/assets/main.1.js');
  expect(await text('/assets/main.1.js')).toBe('plain');
  await ship(site, 1, 'a', '1.4.0');
  await ship(site, 2, 'b', '2.0.0');
  expect(await text('/')).toContain('shell b');
  expect((await site.call('/remotes.json')).json()).toMatchObject({ shell: '1.0.0-b', sdk: '2.0.0', ui: '2.0.0' });
  expect(Object.keys((await site.call('/remotes.json')).json().modules)).toEqual(['mfe_tasks']);
  for (const letter of ['a', 'b']) {
    const asset = await site.call(`/assets/${letter}.js`);
    expect([asset.text, asset.headers['cache-control']]).toEqual([
      `code of ${letter}`,
      'public, max-age=31536000, immutable',
    ]);
  }
  expect(await text('/assets/main.1.js')).toBe('plain');
  expect(await text('/favicon.svg')).toBe('<svg>b</svg>');
  const policy = async () => (await site.call('/offline.html')).headers['content-security-policy'];
  const ofB = await policy();
  await use(site, 3, 'a', '1.4.0');
  expect(await text('/')).toContain('shell a');
  expect(await text('/favicon.svg')).toBe('<svg>a</svg>');
  expect(await policy()).not.toBe(ofB);
  expect((await site.call('/remotes.json')).json()).toMatchObject({ shell: '1.0.0-a', sdk: '1.4.0' });
  expect((await site.call('/assets/c.js')).status).toBe(404);
  expect((await site.call('/modules/shell/1.0.0-b/index.html')).status).toBe(404);
});

test('a gateway serves the files of shells that another gateway put in use', async () => {
  const one = await origin();
  await ship(one, 1, 'a', '1.4.0');
  const other = await origin({ moduleStore: join(one.folder, 'store'), shellDir: await mkdtemp(join(tmpdir(), 'x-')) });
  await ship(one, 2, 'b', '2.0.0');
  expect((await one.call('/')).text).toContain('/assets/b.js');
  for (const letter of ['b', 'a']) expect((await other.call(`/assets/${letter}.js`)).status).toBe(200);
});

test('a shell whose page or files changed in the store is not served, and that is logged', async () => {
  const logged: unknown[] = [];
  const log = Object.assign(createLogger('gateway', 'silent'), {
    error: (...entry: unknown[]) => void logged.push(entry),
  });
  const site = await origin({}, { log });
  await ship(site, 1, 'a', '1.4.0');
  const at = (name: string) => join(site.folder, 'store/shell/1.0.0-a', name);
  await writeFile(at('assets/a.js'), 'code of an attacker');
  expect((await site.call('/assets/a.js')).status).toBe(404);
  await writeFile(at('index.html'), '<script src="https://attacker.example/"></script>');
  const page = await site.call('/');
  expect([page.status, page.text.includes('attacker')]).toEqual([500, false]);
  const files = logged.flatMap((entry) => (entry as [{ file?: string }])[0].file ?? []);
  expect(files).toEqual(['assets/a.js', 'index.html']);
});
