import { rolldown } from 'rolldown';
import { ROOT } from './workspaces.ts';

interface OneFile {
  /** The checkout. */
  root?: string;
  platform: 'node' | 'browser';
  /** `iife` for a script of a page or a worker. */
  format: 'esm' | 'iife';
}

/**
 * Bundles a source and its imports into one file, as readable as the sources.
 * @param input a file from the root of the checkout
 * @returns its text; the same for the same sources
 */
export async function oneFile(input: string, { root = ROOT, platform, format }: OneFile): Promise<string> {
  const bundle = await rolldown({
    input,
    cwd: root,
    platform,
    ...(platform === 'browser' ? { resolve: { conditionNames: ['source', 'browser', 'import', 'default'] } } : {}),
    logLevel: 'silent',
  });
  try {
    const { output } = await bundle.generate({ format });
    return output[0].code;
  } finally {
    await bundle.close();
  }
}
