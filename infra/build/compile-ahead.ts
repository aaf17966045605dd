import type { Compiler, RspackPluginInstance } from '@rspack/core';

const NAME = 'CompileAheadPlugin';

/** By which a browser knows that nearly all functions of a file will be called as the page begins; others take it for a comment. */
const HINT = '//# allFunctionsCalledOnLoad\n';

/**
 * Has the files of some groups compiled whole while they come, beside the page's own thread: function by function, as each is first
 * called, that is an eighth of what a phone's thread does until a page stands.
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
        // After the minimizer, which leaves no comments, and before source maps are made.
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
