import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { RANGES } from './room.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY = /is ready at (\S+)$/m;

/** A module in its own folder, served into a running shell (`npm run dev -- FOLDER --shell URL`). */
export interface Guest {
  /** Origin of the shell with this module. */
  origin: string;
  /** Saves one of its files, as an editor does. */
  write(file: string, text: string): Promise<void>;
  /** Waits until its server has printed a match, such as a build error. */
  prints(pattern: RegExp): Promise<void>;
  stop(): Promise<void>;
}

export const PAGE = `import { useState } from 'react';
import { TEXT } from './text';
import s from './guest.module.css';

export function GuestPage() {
  const [typed, setTyped] = useState('');
  return (
    <section className={s.guest} data-testid="guest">
      <h1>First {TEXT}</h1>
      <input aria-label="Typed" value={typed} onChange={({ target }) => setTyped(target.value)} />
    </section>
  );
}
`;

export const NOTE = `import { useState } from 'react';

export function Note() {
  const [count, setCount] = useState(0);
  return <button type="button" onClick={() => setCount(count + 1)}>Guest counts {count}</button>;
}
`;

const PART = { name: 'note', words: { en: 'A note' }, room: 'card', place: 'dashboard.cards', order: 5 };
const FILES = {
  'package.json': JSON.stringify({
    ...{ name: 'guest', version: '1.0.0', type: 'module' },
    peerDependencies: RANGES,
    cord: {
      tab: { id: 'guest', words: { en: 'The guest' }, icon: 'shield', order: 45, for: 'signed-in' },
      parts: [PART],
    },
  }),
  'rspack.config.mjs': `import { createConfig } from '@cord/build/rspack.preset';
const exposes = { './page': './page.tsx', './parts': './parts.tsx' };
export default createConfig({ name: 'mfe_guest', kind: 'remote', exposes, dir: import.meta.dirname });
`,
  'page.tsx': `export { GuestPage as Page } from './guest-page';
`,
  'parts.tsx': `import { Note } from './note';
export const parts = { note: Note };
`,
  'guest-page.tsx': PAGE,
  'note.tsx': NOTE,
  'text.ts': `export const TEXT = 'guest';\n`,
  'guest.module.css': '.guest { color: rgb(1, 2, 3); }\n',
};

/** @param shell address of the running system */
export async function startGuest(shell: string): Promise<Guest> {
  const home = await mkdtemp(join(tmpdir(), 'cord-guest-'));
  const folder = join(home, 'mfe-guest');
  await mkdir(folder);
  await symlink(join(ROOT, 'node_modules'), join(home, 'node_modules'));
  const write = (file: string, text: string) => writeFile(join(folder, file), text);
  for (const [file, text] of Object.entries(FILES)) await write(file, text);
  const child = spawn(process.execPath, ['infra/dev/start.mjs', '--dev', folder, '--shell', shell], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let printed = '';
  const origin = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const ready = READY.exec(printed)?.[1];
      if (ready) resolve(ready);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void ended.then(() => reject(new Error(`the module's server ended:\n${printed}`)));
  });
  return {
    origin,
    write,
    prints: async (pattern) => {
      while (!pattern.test(printed)) await once(child.stdout as Readable, 'data');
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}
