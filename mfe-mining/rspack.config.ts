import { createConfig } from '@cord/build/rspack.preset';

const exposes = { './page': './page.tsx', './parts': './parts.tsx' };
export default createConfig({ name: 'mfe_mining', kind: 'remote', exposes, dir: import.meta.dirname });
