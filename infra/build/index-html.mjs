import { readFileSync } from 'node:fs';

const NAME = 'IndexHtmlPlugin';

/** What the gateway replaces by a fresh random value in every response. */
export const NONCE_PLACEHOLDER = '__CSP_NONCE__';

/** Where the template shows the loading screen's picture, before any script runs. */
const PICTURE_PLACEHOLDER = '__LOADING_PICTURE__';

/**
 * Writes index.html: the shell's template with its style sheets, font preloads and deferred scripts, each with the
 * nonce placeholder. Written by hand because the page has three kinds of tags and one rule (no inline code).
 */
export class IndexHtmlPlugin {
  constructor({ template }) {
    this.template = template;
  }

  apply(compiler) {
    compiler.hooks.thisCompilation.tap(NAME, (compilation) => {
      compilation.fileDependencies.add(this.template);
      compilation.hooks.processAssets.tap(
        { name: NAME, stage: compiler.webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT },
        () => {
          const html = render(readFileSync(this.template, 'utf8'), compilation);
          compilation.emitAsset('index.html', new compiler.webpack.sources.RawSource(html));
        },
      );
    });
  }
}

/**
 * What the page shows first lies in files that the first script would ask for only once it runs. Each list stands in a comment
 * of its own; the gateway lets the one through that the visitor will need: `landing`, or `signed-in` (webpackChunkName in shell).
 */
const AHEAD = { landing: ['landing'], 'signed-in': ['signed-in', 'module-loader'] };

function ahead(compilation, publicPath, known) {
  return Object.entries(AHEAD).flatMap(([visitor, groups]) => {
    const files = groups.flatMap((name) => compilation.namedChunkGroups.get(name)?.getFiles() ?? []);
    const links = [...new Set(files)]
      .filter((file) => !known.includes(file) && /\.(js|css)$/.test(file))
      .map((file) => {
        const as = file.endsWith('.js') ? `script" nonce="${NONCE_PLACEHOLDER}` : 'style';
        // Beside the first scripts, whose priority deferred ones have, and not before the first picture's styles.
        return `<link rel="preload" fetchpriority="low" href="${publicPath}${file}" as="${as}">`;
      });
    return links.length > 0 ? [`<!-- for:${visitor} ${links.join('\n    ')} -->`] : [];
  });
}

function render(template, compilation) {
  const publicPath = compilation.outputOptions.publicPath ?? '/';
  const files = compilation.entrypoints
    .get('main')
    .getFiles()
    .filter((file) => !file.includes('.hot-update.'));
  const fonts = compilation.getAssets().filter(({ name }) => /archivo-latin-wdth-normal.*\.woff2$/.test(name));
  const head = [
    ...fonts.map(
      ({ name }) => `<link rel="preload" href="${publicPath}${name}" as="font" type="font/woff2" crossorigin>`,
    ),
    ...files
      .filter((file) => file.endsWith('.css'))
      .map((file) => `<link rel="stylesheet" href="${publicPath}${file}" crossorigin="anonymous">`),
    ...files
      .filter((file) => file.endsWith('.js'))
      .map(
        (file) =>
          `<script defer nonce="${NONCE_PLACEHOLDER}" src="${publicPath}${file}" crossorigin="anonymous"></script>`,
      ),
    ...ahead(compilation, publicPath, files),
  ];
  const picture = compilation.getAssets().find(({ name }) => /(^|\/)loading[.\w]*\.svg$/.test(name));
  if (picture === undefined) throw new Error('the loading screen has no picture (loading.svg) in the build');
  if (!template.includes('<!-- assets -->')) throw new Error('index.html has no <!-- assets --> mark');
  return template
    .replace('<!-- assets -->', head.join('\n    '))
    .replace(PICTURE_PLACEHOLDER, `${publicPath}${picture.name}`);
}
