import { createConfig } from '@cord/build/rspack.preset';

export default createConfig({ name: 'cord_shell', kind: 'host', entry: './main.tsx', dir: import.meta.dirname });
