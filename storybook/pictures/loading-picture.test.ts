import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadingPicture } from './loading-picture.ts';

it('the loading screen shows the current dial and logo', () => {
  expect(readFileSync(new URL('../../shell/app/boot.svg', import.meta.url), 'utf8')).toBe(loadingPicture());
});
