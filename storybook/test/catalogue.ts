// The static catalogue: built when a source has changed, served from memory-free static files on a free port.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { moduleFolders } from '../../infra/build/built.ts';
import { sourceFiles } from '../../infra/build/source-files.ts';

const storybook = fileURLToPath(new URL('..', import.meta.url));
const root = join(storybook, '..');
const out = join(storybook, 'storybook-static');
const stamp = join(out, '.sources');

const SOURCES = [
  'package-lock.json',
  ...['storybook', 'storybook/.storybook', 'shell', ...moduleFolders(), 'services/contracts'].flatMap((folder) => [
    `${folder}/**/*.{ts,tsx,css,svg,mjs}`,
    `${folder}/**/package.json`,
  ]),
  '!**/test/**',
];

/** One hash over path, size and time of every source file the catalogue may contain. */
function sourcesHash(): string {
  const hash = createHash('sha256');
  for (const file of sourceFiles(SOURCES, root)) {
    const { size, mtimeMs } = statSync(join(root, file));
    hash.update(`${file} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** Builds storybook-static unless it was built from the same sources. Throws with the build's output when it fails. */
export function buildIfChanged(): boolean {
  const hash = sourcesHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return false;
  const build = spawnSync(process.execPath, ['--import', 'tsx', join(storybook, 'run.ts'), 'build'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (build.status !== 0) throw new Error(`The catalogue does not build:\n${build.stdout}\n${build.stderr}`);
  writeFileSync(stamp, hash);
  return true;
}

/** A story, as the catalogue lists it; `title` is its component. */
export interface Story {
  type: string;
  id: string;
  title: string;
  tags: string[];
}

export function readStories(): Story[] {
  const { entries }: { entries: Record<string, Story> } = JSON.parse(readFileSync(join(out, 'index.json'), 'utf8'));
  return Object.values(entries).filter(({ type }) => type === 'story');
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
};

/** Serves storybook-static on 127.0.0.1 and a free port. */
export async function serveCatalogue(): Promise<{ origin: string; close: () => void }> {
  const server = createServer((request, response) => {
    const path = normalize(join(out, decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname)));
    if (path === join(out, 'favicon.ico')) {
      response.writeHead(204).end();
      return;
    }
    if (!path.startsWith(out + sep) || !existsSync(path) || !statSync(path).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
      'cache-control': 'max-age=3600',
    });
    createReadStream(path).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}
