import { describe, expect, it } from 'vitest';
import { publicManifest } from './pack.ts';

describe('the package.json of a packed package', () => {
  const own = { private: true, scripts: { test: 'x' }, devDependencies: { a: '1.0.0' } };

  it('has no field that only this repository needs', () => {
    const { exports, ...manifest } = publicManifest(
      {
        ...own,
        name: '@cord/kit',
        exports: { './*': { source: './*.ts', types: './dist/*.d.ts', default: './dist/*.js' } },
      },
      { program: 'node', ships: ['dist'] },
    );
    expect(Object.keys(manifest)).toEqual(['name', 'files']);
    expect(exports).toEqual({ './*': { types: './dist/*.d.ts', default: './dist/*.js' } });
  });

  it('points to types beside the bundled sources, whatever is imported', () => {
    const exports = { '.': './index.ts', './testing/render': './testing/render.tsx', './*': './*' };
    expect(publicManifest({ name: '@cord/ui', exports }, { program: 'web', ships: ['**/*'] }).exports).toEqual({
      '.': { types: './dist/index.d.ts', default: './index.ts' },
      './testing/render': { types: './dist/testing/render.d.ts', default: './testing/render.tsx' },
      './*': { types: './dist/*.d.ts', default: './*' },
    });
  });

  it('points to the JavaScript of a build tool, and names its command', () => {
    const exports = { './rspack.preset': './rspack.preset.ts', './*': './*' };
    const packed = { program: 'build', ships: ['dist'], bin: { 'cord-build': './dist/build-module.js' } } as const;
    expect(publicManifest({ name: '@cord/build', exports }, packed)).toMatchObject({
      bin: { 'cord-build': './dist/build-module.js' },
      exports: {
        './rspack.preset': { types: './dist/rspack.preset.d.ts', default: './dist/rspack.preset.js' },
        './*': './*',
      },
    });
  });
});
