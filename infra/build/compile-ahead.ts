import type { Compiler, RspackPluginInstance } from '@rspack/core';

const NAME = 'CompileAheadPlugin';

/** Hint for a browser that nearly all functions of the file are called at load; others see a comment. */
const HINT = '//# allFunctionsCalledOnLoad\n';

/**
 * Makes browsers compile the files of some groups whole while they download, off the main thread. Compiling each
 * function at its first call takes an eighth of a phone's main thread time until the page is shown.
 */
export class CompileAheadPlugin implements RspackPluginInstance {
  readonly #groups: readonly string[];

  /** @param groups names of entries and of chunks (webpackChunkName) that a page begins with */
  constructor(groups: readonly string[]) {
    this.#groups = groups;
  }

  apply(compiler: Compiler): void {
    const { Compilation, sources } = compiler.webpack;
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
      compilation.hooks.processAssets.tap(
        // After the minimizer, which removes comments, and before source maps are made.
        { name: NAME, stage: Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE + 1 },
        () => {
          const files = this.#groups.flatMap((name) => compilation.namedChunkGroups.get(name)?.getFiles() ?? []);
          for (const file of new Set(files.filter((each) => each.endsWith('.js'))))
            compilation.updateAsset(file, (source) => new sources.ConcatSource(HINT, source));
        },
      );
    });
  }
}
