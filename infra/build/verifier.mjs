import path from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './workspaces.mjs';

/**
 * verify.mjs: the verifier of proofs as one file that needs Node alone, readable as its sources are.
 * @param {string} [root] the checkout
 * @returns {Promise<string>} its text; the same for the same sources
 */
export async function verifierText(root = ROOT) {
  const bundle = await rolldown({
    input: path.join(root, 'services/contracts/proof/main.ts'),
    cwd: root,
    platform: 'node',
    logLevel: 'silent',
  });
  try {
    const { output } = await bundle.generate({ format: 'esm' });
    return output[0].code;
  } finally {
    await bundle.close();
  }
}
