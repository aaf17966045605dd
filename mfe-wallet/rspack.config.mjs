import { createConfig } from '@cord/build/rspack.preset.mjs';

const exposes = { './parts': './parts.tsx' };
export default createConfig({ name: 'mfe_wallet', kind: 'remote', exposes, dir: import.meta.dirname });
