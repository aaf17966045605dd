import path from 'node:path';
import { createConfig, type Env } from '@cord/build/rspack.preset';

const exposes = { './parts': './parts.tsx' };
const config = createConfig({ name: 'mfe_wallet', kind: 'remote', exposes, dir: import.meta.dirname });

/** Keeps the mobile library's own dialogs out of the bundle (chain/phone/library-substitute.ts). */
const alias = {
  '@solana-mobile/wallet-adapter-mobile$': path.join(import.meta.dirname, 'chain/phone/library-substitute.ts'),
};

export default (env: Env) => {
  const built = config(env);
  return { ...built, resolve: { ...built.resolve, alias } };
};
