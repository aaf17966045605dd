import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FEDERATION_CONSTANTS } from '@cord/build/rspack.preset';
import { type Configuration, rspack } from '@rspack/core';

/** Bundles the floor page's code into one minified file, like the shell's. */
export async function bundleFloor(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cord-floor-'));
  try {
    await compile({
      mode: 'production',
      context: import.meta.dirname,
      entry: './page.ts',
      target: 'web',
      module: {
        rules: [
          {
            test: /\.ts$/,
            loader: 'builtin:swc-loader',
            options: { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } },
          },
        ],
      },
      output: { path: folder, filename: 'floor.js' },
      plugins: [
        new rspack.DefinePlugin({ 'process.env.NODE_ENV': JSON.stringify('production'), ...FEDERATION_CONSTANTS }),
      ],
      performance: false,
    });
    return await readFile(join(folder, 'floor.js'), 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function compile(config: Configuration): Promise<void> {
  return new Promise((resolve, reject) => {
    rspack(config, (error, stats) => {
      if (error) reject(error);
      else if (stats?.hasErrors()) reject(new Error(stats.toString('errors-only')));
      else resolve();
    });
  });
}
