import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadingPicture } from './loading-picture.ts';

it('the picture of the loading screen is the dial and the logo as they are drawn now', () => {
  expect(readFileSync(new URL('../../shell/app/boot.svg', import.meta.url), 'utf8')).toBe(loadingPicture());
});
