import path from 'node:path';
import { createConfig } from '@cord/build/rspack.preset.mjs';

const exposes = { './parts': './parts.tsx' };
const config = createConfig({ name: 'mfe_wallet', kind: 'remote', exposes, dir: import.meta.dirname });

/** The wallet provider would bring the mobile library's own dialogs along (chain/phone/library-substitute.ts). */
const alias = {
  '@solana-mobile/wallet-adapter-mobile$': path.join(import.meta.dirname, 'chain/phone/library-substitute.ts'),
};

export default (options) => {
  const built = config(options);
  return { ...built, resolve: { ...built.resolve, alias: { ...built.resolve.alias, ...alias } } };
};
