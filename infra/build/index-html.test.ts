import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rspack, type Stats } from '@rspack/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createConfig } from './rspack.preset.ts';

let html: string;
let code: string;
/** The scripts by name. */
let files: (readonly [string, string])[];

beforeAll(async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'cord-host-'));
  writeFileSync(
    path.join(dir, 'index.html'),
    '<!doctype html><head><!-- assets --></head><body>__LOADING_PICTURE__</body>',
  );
  writeFileSync(path.join(dir, 'style.css'), 'body { color: red; }');
  mkdirSync(path.join(dir, 'app'));
  writeFileSync(path.join(dir, 'app/boot.svg'), '<svg>\n<path/>\n</svg>\n');
  writeFileSync(path.join(dir, 'later.ts'), 'export const answer: number = 42;');
  writeFileSync(
    path.join(dir, 'main.ts'),
    "import './style.css'; void import(/* webpackChunkName: 'landing' */ './later').then(({ answer }) => document.body.append(String(answer)));",
  );
  const config = createConfig({ name: 'probe', kind: 'host', entry: './main.ts', dir })({ buildId: 'b1' });
  // The probe has no public folder.
  const plugins = config.plugins?.filter((plugin) => !/Copy/.test(plugin?.constructor.name ?? '')) ?? [];
  const compiler = rspack({ ...config, plugins, output: { ...config.output, clean: false } });
  const stats = await new Promise<Stats | undefined>((resolve, reject) => {
    compiler.run((error, result) => compiler.close(() => (error ? reject(error) : resolve(result))));
  });
  const assets = stats?.compilation.assets ?? {};
  html = String(assets['index.html']?.source());
  files = Object.entries(assets)
    .filter(([name]) => name.endsWith('.js'))
    .map(([name, asset]) => [name, String(asset.source())] as const);
  code = files.map(([, text]) => text).join('\n');
});

describe('a built page', () => {
  it('loads every script from a file with the nonce placeholder, none inline', () => {
    const scripts = html.match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) {
      expect(script).toContain('nonce="__CSP_NONCE__"');
      expect(script).toMatch(/src="\/assets\/[\w.-]+\.js"/);
    }
    expect(html).not.toMatch(/<script[^>]*>[^<]/);
  });

  it('has its first styles inline with the nonce, so that painting needs no further file', () => {
    expect(html.match(/<style[^>]*>[^<]*<\/style>/g)).toEqual(['<style nonce="__CSP_NONCE__">body{color:red}</style>']);
    expect(html).not.toContain('rel="stylesheet"');
    expect(html).not.toMatch(/ style=/);
  });

  it('shows the picture of the loading screen before any script runs', () => {
    expect(html).toContain('<body><svg><path/></svg></body>');
  });

  it('lists preloads for a visitor in a comment for the gateway', () => {
    const list = /<!-- for:landing ([\s\S]*?) -->/.exec(html)?.[1];
    expect(list).toMatch(
      /^<link rel="preload" fetchpriority="low" href="\/assets\/landing\.[0-9a-f]{8}\.js" as="script" nonce="__CSP_NONCE__" integrity="sha256-[\w+/]+=" crossorigin="anonymous">/,
    );
    expect(html).not.toContain('for:signed-in');
  });

  it('has the integrity hash of every script, in its tags or in the entry', () => {
    const hashes = files.map(([, text]) => `sha256-${createHash('sha256').update(text).digest('base64')}`);
    const named = new Set(`${html}${code}`.match(/sha256-[\w+/]{43}=/g));
    expect([...named].filter((hash) => !hashes.includes(hash)).length).toBe(0);
    expect(hashes.filter((hash) => !named.has(hash))).toEqual([]);
    expect(code).toMatch(/\.integrity=/);
    for (const tag of html.match(/<(script|link rel="preload"[^>]*as="(script|style)")[^>]*>/g) ?? [])
      expect(tag).toMatch(/ integrity="sha256-[\w+/]{43}=" crossorigin="anonymous"/);
  });

  it('hints that browsers compile each script while it loads', () => {
    expect(files.map(([, text]) => text.split('\n')[0])).toEqual(files.map(() => '//# allFunctionsCalledOnLoad'));
  });

  it('needs neither eval nor an untrusted script URL', () => {
    expect(code).not.toMatch(/\beval\(|new Function\(/);
    expect(code).toContain('createPolicy("cord-bundler"');
  });
});
