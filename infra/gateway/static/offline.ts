import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type Koa from 'koa';
import { offlinePolicy } from '../headers.js';
import type { Shells } from './shells.js';

const PAGE = '/offline.html';

/** Sets the policy of the offline page; the file itself belongs to the shell. */
export function offlineHeaders(shells: Pick<Shells, 'inUse'>): Koa.Middleware {
  return async (ctx, next) => {
    if (ctx.path === PAGE) ctx.set('content-security-policy', await policyOf(join(await shells.inUse(), PAGE)));
    return next();
  };
}

/** Allows the page's inline style and script by their hashes: without a network no file can be loaded. */
async function policyOf(file: string): Promise<string> {
  const html = await readFile(file, 'utf8').catch(() => '');
  const hashOf = (tag: string) => {
    const content = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)?.[1] ?? '';
    return `sha256-${createHash('sha256').update(content).digest('base64')}`;
  };
  return offlinePolicy({ style: hashOf('style'), script: hashOf('script') });
}
