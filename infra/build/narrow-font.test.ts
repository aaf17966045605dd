import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { moduleFolders } from './built.ts';
import narrowFont, { FONT_AXES } from './narrow-font.mjs';
import { sourceFiles } from './source-files.ts';
import { ROOT } from './workspaces.ts';

const FONTS = path.join(ROOT, 'node_modules/@fontsource-variable/archivo/files');
const PLACES = ['storybook/ui', 'shell', ...moduleFolders()];

const styles = sourceFiles(PLACES.map((place) => `${place}/**/*.css`));
const used = (property: string) =>
  styles.flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(new RegExp(`${property}:\\s*([\\d.]+)%?;`, 'g'))].map(
      ([, value]) => ({ file, value: Number(value) }),
    ),
  );

describe('the font of a build', () => {
  it.each([
    ['font-weight', FONT_AXES.wght],
    ['font-stretch', FONT_AXES.wdth],
  ])('covers every %s that a style uses', (property, { min, max }) => {
    const all = used(property);
    expect(all.length).toBeGreaterThan(10);
    expect(all.filter(({ value }) => value < min || value > max)).toEqual([]);
  });

  it.each(['latin', 'latin-ext', 'vietnamese'])('for %s is smaller and still a font', async (script) => {
    const file = path.join(FONTS, `archivo-${script}-wdth-normal.woff2`);
    const whole = readFileSync(file);
    const narrow = await narrowFont.call({ resourcePath: file }, whole);
    expect(narrow.subarray(0, 4).toString()).toBe('wOF2');
    expect(narrow.length).toBeLessThan(whole.length * 0.75);
    expect(narrow.length).toBeGreaterThan(whole.length * 0.3);
  });

  it('rejects a file that is not one of its scripts', async () => {
    await expect(narrowFont.call({ resourcePath: '/fonts/other.woff2' }, Buffer.alloc(8))).rejects.toThrow(
      'unknown script of the font',
    );
  });
});
