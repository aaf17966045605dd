import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { surfaceOf } from './module-surface.ts';

function moduleOf(files: Record<string, string>): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'cord-surface-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dir, name), text);
  return dir;
}

test('a module names what its page and parts take of sdk and ui, at once or later; types and tests take nothing', () => {
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

test('who takes all of it gets an error that demands names', () => {
  expect(() => surfaceOf(moduleOf({ 'parts.ts': "import * as ui from '@cord/ui';" }))).toThrow(
    'name what it takes of @cord/ui',
  );
});
