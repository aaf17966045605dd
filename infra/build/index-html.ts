import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Asset, Compilation, Compiler, RspackPluginInstance } from '@rspack/core';
import { browserRows } from './browsers.ts';
import { readWorkspaces, workspaceOf } from './workspaces.ts';

const NAME = 'IndexHtmlPlugin';

/** The gateway replaces it by a new random value in every response. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/** Place of the loading screen's picture, which is inlined for the first paint, before any script runs. */
const PICTURE_PLACEHOLDER = '__LOADING_PICTURE__';

/** Places of the versions for a failure report, and of the required browsers. */
const SHELL_PLACEHOLDER = '__SHELL_VERSION__';
const SDK_PLACEHOLDER = '__SDK_VERSION__';
const BROWSERS_PLACEHOLDER = '__BROWSERS__';

/**
 * Writes index.html from the shell's template, with its first styles and picture inlined, font preloads, and deferred
 * scripts. The first paint waits for no other file. Styles and scripts get the nonce placeholder. Written by hand: the
 * page has three kinds of tags, and no inline code but the template's own, which watches over the files that follow.
 */
export class IndexHtmlPlugin implements RspackPluginInstance {
  readonly #page: { template: string; picture: string; version: string };

  /** @param page paths of the template and its first SVG, and the version */
  constructor(page: { template: string; picture: string; version: string }) {
    this.#page = page;
  }

  apply(compiler: Compiler): void {
    const { template, picture, version } = this.#page;
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
      compilation.fileDependencies.addAll([template, picture]);
      compilation.hooks.processAssets.tap(
        { name: NAME, stage: compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT },
        () => {
          const html = render(readFileSync(template, 'utf8'), compilation)
            .replace(PICTURE_PLACEHOLDER, readFileSync(picture, 'utf8').replaceAll('\n', ''))
            .replace(SHELL_PLACEHOLDER, version)
            .replace(SDK_PLACEHOLDER, workspaceOf(readWorkspaces(), '@cord/sdk').version)
            .replace(BROWSERS_PLACEHOLDER, browserRows());
          compilation.emitAsset('index.html', new compiler.webpack.sources.RawSource(html));
        },
      );
    });
  }
}

/**
 * What the page shows first lies in files that the first script would request only once it runs. Each list stands in a comment
 * of its own; the gateway lets the one through that the visitor will need: `landing`, or `signed-in` (webpackChunkName in shell).
 */
const AHEAD = { landing: ['landing'], 'signed-in': ['signed-in', 'module-loader'] };

function ahead(compilation: Compilation, publicPath: string, known: readonly string[]): string[] {
  return Object.entries(AHEAD).flatMap(([visitor, groups]) => {
    const files = groups.flatMap((name) => compilation.namedChunkGroups.get(name)?.getFiles() ?? []);
    const links = [...new Set(files)]
      .filter((file) => !known.includes(file) && /\.(js|css)$/.test(file))
      .map((file) => {
        const as = file.endsWith('.js') ? `script" nonce="${NONCE_PLACEHOLDER}` : 'style';
        // Beside the deferred first scripts in priority, and not before the first picture's styles.
        return `<link rel="preload" fetchpriority="low" href="${publicPath}${file}" as="${as}"${checked(file, compilation)}>`;
      });
    return links.length > 0 ? [`<!-- for:${visitor} ${links.join('\n    ')} -->`] : [];
  });
}

/**
 * Returns attributes that make a browser accept the built bytes only. A preload needs the same as the bundler's later
 * tag, or the file is fetched twice.
 */
function checked(file: string, compilation: Compilation): string {
  const crossOrigin = ' crossorigin="anonymous"';
  if (compilation.options.mode === 'development') return crossOrigin;
  const hash = createHash('sha256').update(assetOf(file, compilation).source.buffer()).digest('base64');
  return ` integrity="sha256-${hash}"${crossOrigin}`;
}

function assetOf(file: string, compilation: Compilation): Asset {
  const asset = compilation.getAsset(file);
  if (!asset) throw new Error(`the build has no file ${file}`);
  return asset;
}

/** Renders a style sheet: inlined, or linked in development, where it changes. */
function styles(file: string, compilation: Compilation, publicPath: string): string {
  if (compilation.options.mode === 'development') return `<link rel="stylesheet" href="${publicPath}${file}">`;
  const text = assetOf(file, compilation).source.source().toString();
  compilation.deleteAsset(file);
  return `<style nonce="${NONCE_PLACEHOLDER}">${text.replace(/\s*\/\*# sourceMappingURL=.*?\*\/\s*$/, '')}</style>`;
}

function render(template: string, compilation: Compilation): string {
  const publicPath = String(compilation.outputOptions.publicPath ?? '/');
  const entry = compilation.entrypoints.get('main')?.getFiles() ?? [];
  const files = entry.filter((file) => !file.includes('.hot-update.'));
  const fonts = compilation.getAssets().filter(({ name }) => /archivo-latin-wdth-normal.*\.woff2$/.test(name));
  const head = [
    ...fonts.map(
      ({ name }) => `<link rel="preload" href="${publicPath}${name}" as="font" type="font/woff2" crossorigin>`,
    ),
    ...files.filter((file) => file.endsWith('.css')).map((file) => styles(file, compilation, publicPath)),
    ...files
      .filter((file) => file.endsWith('.js'))
      .map(
        (file) =>
          `<script defer nonce="${NONCE_PLACEHOLDER}" src="${publicPath}${file}"${checked(file, compilation)}></script>`,
      ),
    ...ahead(compilation, publicPath, files),
  ];
  if (!template.includes('<!-- assets -->')) throw new Error('index.html has no <!-- assets --> comment');
  return template.replace('<!-- assets -->', () => head.join('\n    '));
}
