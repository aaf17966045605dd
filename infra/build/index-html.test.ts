import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { rspack } from '@rspack/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createConfig } from './rspack.preset.mjs';

let html: string;
let code: string;

beforeAll(async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'cord-host-'));
  writeFileSync(
    path.join(dir, 'index.html'),
    '<!doctype html><head><!-- assets --></head><body><img src="__LOADING_PICTURE__"></body>',
  );
  writeFileSync(path.join(dir, 'style.css'), 'body { color: red; }');
  writeFileSync(path.join(dir, 'favicon.svg'), '<svg/>');
  writeFileSync(path.join(dir, 'loading.svg'), '<svg/>');
  writeFileSync(path.join(dir, 'later.ts'), 'export const answer: number = 42;');
  writeFileSync(
    path.join(dir, 'main.ts'),
    "import './style.css'; import './loading.svg'; void import(/* webpackChunkName: 'landing' */ './later').then(({ answer }) => document.body.append(String(answer)));",
  );
  const config = createConfig({ name: 'probe', kind: 'host', entry: './main.ts', dir })({ buildId: 'b1' });
  // The probe has no public folder.
  config.plugins = config.plugins.filter(
    (plugin: { constructor: { name: string } }) => !/Copy/.test(plugin.constructor.name),
  );
  config.output.clean = false;
  const compiler = rspack(config);
  const stats = await new Promise<{ compilation: { assets: Record<string, { source(): string | Buffer }> } }>(
    (resolve, reject) => {
      compiler.run((error: Error | null, result: never) =>
        compiler.close(() => (error ? reject(error) : resolve(result))),
      );
    },
  );
  const assets = stats.compilation.assets;
  html = String(assets['index.html']?.source());
  code = Object.entries(assets)
    .filter(([name]) => name.endsWith('.js'))
    .map(([, asset]) => String(asset.source()))
    .join('\n');
});

describe('a built page', () => {
  it('has every script with the nonce placeholder and none inline', () => {
    const scripts = html.match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) {
      expect(script).toContain('nonce="__CSP_NONCE__"');
      expect(script).toMatch(/src="\/assets\/[\w.-]+\.js"/);
    }
    expect(html).not.toMatch(/<script[^>]*>[^<]/);
  });

  it('has its styles in files, none in the page', () => {
    expect(html).toMatch(/<link rel="stylesheet" href="\/assets\/main\.[0-9a-f]{8}\.css"/);
    expect(html).not.toContain('<style');
  });

  it('shows the picture of the loading screen before any script runs', () => {
    expect(html).toMatch(/<body><img src="\/assets\/loading\.[0-9a-f]{8}\.svg"><\/body>/);
  });

  it('names what a visitor needs next in a comment for the gateway', () => {
    const list = /<!-- for:landing ([\s\S]*?) -->/.exec(html)?.[1];
    expect(list).toMatch(
      /^<link rel="preload" fetchpriority="low" href="\/assets\/landing\.[0-9a-f]{8}\.js" as="script" nonce="__CSP_NONCE__"/,
    );
    expect(html).not.toContain('for:signed-in');
  });

  it('needs neither eval nor an untrusted script address', () => {
    expect(code).not.toMatch(/\beval\(|new Function\(/);
    expect(code).toContain('createPolicy("cord-bundler"');
  });
});
