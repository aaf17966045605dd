import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { surfaceOf } from './module-surface.ts';

function moduleOf(files: Record<string, string>): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'cord-surface-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true });
    writeFileSync(path.join(dir, name), text);
  }
  return dir;
}

test('the surface of a module has its imports from sdk and ui, also later ones, without types and tests', () => {
  const dir = moduleOf({
    'page.tsx':
      "import { useTabs, type Sdk } from '@cord/sdk';\nimport './panel';\nexport const later = () => import('./desk');",
    'panel.tsx':
      "import { useSdk as sdk } from '@cord/sdk';\nimport type { CardProps } from '@cord/ui';\nimport { Card } from '@cord/ui';",
    'desk.ts': "export { Dialog } from '@cord/ui/overlays';\nimport { atom } from 'nanostores';",
    'panel.test.tsx': "import { Table } from '@cord/ui';",
  });
  expect(surfaceOf(dir)).toEqual({
    sdk: ['useSdk', 'useTabs'],
    ui: ['Card', 'Dialog'],
    runtime: expect.stringMatching(/^\^\d+\.\d+\.\d+$/),
  });
});

test('the surface follows index files of folders and file extensions, like the bundler', () => {
  const dir = moduleOf({
    'parts.ts':
      "export { Chart } from './chart';\nexport { Desk } from './desk.js';\nexport { Room } from './room.tsx';",
    'chart/index.tsx': "import { useTabs } from '@cord/sdk';",
    'desk.ts': "import { Card } from '@cord/ui';",
    'room.tsx': "import { useSdk } from '@cord/sdk';",
  });
  expect(surfaceOf(dir)).toMatchObject({ sdk: ['useSdk', 'useTabs'], ui: ['Card'] });
});

test('a namespace import is rejected with a request for names', () => {
  expect(() => surfaceOf(moduleOf({ 'parts.ts': "import * as ui from '@cord/ui';" }))).toThrow(
    'name each import from @cord/ui',
  );
});
