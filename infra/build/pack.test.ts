import { describe, expect, it } from 'vitest';
import { publicManifest } from './pack.mjs';

describe('the package.json of what is packed for others', () => {
  const own = { private: true, scripts: { test: 'x' }, devDependencies: { a: '1.0.0' } };

  it('has nothing that only this repository has', () => {
    const { exports, ...manifest } = publicManifest(
      {
        ...own,
        name: '@cord/kit',
        exports: { './*': { source: './*.ts', types: './dist/*.d.ts', default: './dist/*.js' } },
      },
      'node',
      ['dist'],
    );
    expect(Object.keys(manifest)).toEqual(['name', 'files']);
    expect(exports).toEqual({ './*': { types: './dist/*.d.ts', default: './dist/*.js' } });
  });

  it('leads to types beside the sources that are bundled, whatever is imported', () => {
    const exports = { '.': './index.ts', './testing/render': './testing/render.tsx', './*': './*' };
    expect(publicManifest({ name: '@cord/ui', exports }, 'web', ['**/*']).exports).toEqual({
      '.': { types: './dist/index.d.ts', default: './index.ts' },
      './testing/render': { types: './dist/testing/render.d.ts', default: './testing/render.tsx' },
      './*': { types: './dist/*.d.ts', default: './*' },
    });
  });
});
