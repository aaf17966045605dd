import path from 'node:path';
import { ModuleFederationPlugin } from '@module-federation/enhanced/rspack';
import { type Chunk, type Configuration, type ModuleOptions, type ResolveOptions, rspack } from '@rspack/core';
import { ReactRefreshRspackPlugin } from '@rspack/plugin-react-refresh';
import { BROWSERS } from './browsers.ts';
import { CompileAheadPlugin } from './compile-ahead.ts';
import { IndexHtmlPlugin } from './index-html.ts';
import { inRunningShell } from './registry-override.ts';
import { remRule } from './rem.mjs';
import { SERVED_BUILD, servedPath } from './served-module.ts';
import { remoteShared } from './shared.ts';
import { uiLayerRule } from './ui-layer.mjs';

/** How web code finds workspace sources. */
const webResolve: ResolveOptions = {
  extensions: ['.tsx', '.ts', '.mjs', '.js'],
  extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
  conditionNames: ['source', 'browser', 'import', 'module', 'default'],
};

const SOURCE = /\.[cm]?tsx?$/;
const REFRESH_HOOK = path.join(import.meta.dirname, `dev-refresh-hook${path.extname(import.meta.filename)}`);

/** The name of the one Trusted Types policy that every bundle uses to address its own chunks. */
const TRUSTED_TYPES_POLICY = 'cord-bundler';

interface Bundle {
  /** Identifier of the bundle; no hyphen, module federation makes a variable of it. */
  name: string;
  kind: Kind;
  /** Folder of the package (`import.meta.dirname`). */
  dir: string;
  /** The host's entry file. */
  entry?: string;
  /** The remote's exposed files. */
  exposes?: Readonly<Record<string, string>>;
}

type Kind = 'host' | 'remote';

/** `--env NAME=VALUE` of the rspack CLI. */
export interface Env {
  /** Distinguishes the build from every other one. */
  buildId?: string;
  /** Under which it is published. */
  version?: string;
  outputPath?: string;
  /** `rspack serve` of a module: the address of the running shell that shows it. */
  shell?: string;
  /** Set by `rspack serve`. */
  RSPACK_SERVE?: boolean;
}

/**
 * The one preset: the shell and every module build with it.
 * @returns the configuration of `rspack build` and `rspack serve`
 */
export function createConfig({ name, kind, dir, entry = './main.tsx', exposes = {} }: Bundle) {
  return (env: Env = {}): Configuration => configOf({ name, kind, dir, entry, exposes }, env);
}

function configOf({ name, kind, dir, entry, exposes }: Required<Bundle>, env: Env): Configuration {
  const { RSPACK_SERVE: dev = false, shell, outputPath = path.join(dir, 'dist') } = env;
  const { buildId = dev ? SERVED_BUILD : 'local', version = buildId } = env;
  // A server ends with the program that started it.
  if (dev) process.once('disconnect', () => process.exit(0));
  // React of a shell that is built for production has no Fast Refresh: the page reloads instead.
  const refresh = dev && shell === undefined;
  const publicPath = dev ? servedPath(kind === 'host' ? null : name) : kind === 'host' ? '/' : 'auto';
  return {
    name,
    context: dir,
    mode: dev ? 'development' : 'production',
    // No eval-based source map: the page's content security policy has no unsafe-eval. In a build no file names its map: in local mode the gateway does.
    devtool: dev ? 'cheap-module-source-map' : 'hidden-source-map',
    target: `browserslist:${BROWSERS.join(', ')}`,
    entry: kind === 'host' ? { main: dev ? [REFRESH_HOOK, entry] : entry } : {},
    resolve: webResolve,
    module: webModule({ refresh, scope: scopeOf(name, kind, buildId) }),
    output: {
      path: outputPath,
      clean: !dev,
      // The build id keeps two builds of one module apart when a new version is published while a page is open.
      uniqueName: `${name}_${buildId}`,
      publicPath,
      filename: dev ? '[name].js' : 'assets/[name].[contenthash:8].js',
      chunkFilename: dev ? '[name].chunk.js' : 'assets/[name].[contenthash:8].js',
      cssFilename: dev ? '[name].css' : 'assets/[name].[contenthash:8].css',
      cssChunkFilename: dev ? '[name].chunk.css' : 'assets/[name].[contenthash:8].css',
      assetModuleFilename: 'assets/[name].[contenthash:8][ext]',
      crossOriginLoading: 'anonymous',
      // Nobody looks at a spinner for longer without a text.
      chunkLoadTimeout: 15_000,
      trustedTypes: { policyName: TRUSTED_TYPES_POLICY },
    },
    optimization: {
      minimizer: [
        minifier({ exclude: REACT }),
        // A function of React stays out of its only caller: as gzip the file is 1.4 % smaller so.
        minifier({ include: REACT }, { inline: 0, reduce_vars: false }),
        new rspack.LightningCssMinimizerRspackPlugin({ minimizerOptions: { targets: BROWSERS } }),
      ],
      moduleIds: 'deterministic',
      chunkIds: 'deterministic',
      splitChunks:
        kind === 'host'
          ? { chunks: outsideWorkers, cacheGroups: hostCacheGroups() }
          : // What ./page and ./parts have in common is loaded once, with the packages that it uses.
            { chunks: 'async', minSize: 4_000, cacheGroups: { defaultVendors: false } },
      runtimeChunk: false,
    },
    plugins: [
      schemasStay,
      ...(dev ? [] : [new CompileAheadPlugin(BEGIN_WITH[kind]), chunkIntegrity()]),
      new rspack.DefinePlugin({
        'process.env.NODE_ENV': JSON.stringify(dev ? 'development' : 'production'),
        __CORD_BUILD__: JSON.stringify(version),
        ...(kind === 'host' ? FEDERATION_CONSTANTS : {}),
      }),
      ...(kind === 'host'
        ? [
            new IndexHtmlPlugin({
              template: path.join(dir, 'index.html'),
              picture: path.join(dir, 'app/boot.svg'),
              version,
            }),
            new rspack.CopyRspackPlugin({ patterns: [{ from: path.join(dir, 'public') }] }),
          ]
        : []),
      ...(kind === 'remote' ? [federation(name, exposes, dir)] : []),
      ...(refresh ? [new ReactRefreshRspackPlugin({ test: SOURCE })] : []),
    ],
    performance: false,
    stats: 'errors-warnings',
    infrastructureLogging: { level: 'error' },
    ignoreWarnings: [
      // Classes of CSS Modules do not overrule each other by order.
      /Conflicting order/,
      // It looks whether there is hot reload, in a way that a bundler cannot follow; without an answer it works.
      { module: /@nanostores\/i18n/, message: /import\.meta/ },
    ],
    lazyCompilation: false,
    devServer: {
      hot: true,
      host: '127.0.0.1',
      allowedHosts: 'all',
      headers: { 'access-control-allow-origin': '*' },
      devMiddleware: { publicPath },
      // Each server has its own socket path under its prefix, so that the gateway can distinguish the two.
      webSocketServer: { type: 'ws', options: { path: `${publicPath}hot` } },
      client: {
        overlay: false,
        logging: 'warn',
        webSocketURL: { hostname: '0.0.0.0', port: 0, pathname: `${publicPath}hot` },
      },
      ...(shell === undefined ? {} : inRunningShell({ shell, name, dir })),
    },
  };
}

/** The entry knows the hash of each chunk: a browser does not run or apply one whose bytes have changed since the build. */
function chunkIntegrity() {
  return new rspack.SubresourceIntegrityPlugin({ hashFuncNames: ['sha256'], htmlPlugin: false });
}

/** The groups of files that a page begins with, and a visit of a tab: of the shell, and of each module. */
const BEGIN_WITH = {
  host: ['main', 'landing', 'signed-in', 'module-loader', 'module-pages'],
  remote: ['__federation_expose_parts', '__federation_expose_page'],
};

/** What all class names of a bundle begin with. Of a module two builds may stand in one page, whose styles must not meet; of the shell never, so its own need nothing before them. */
function scopeOf(name: string, kind: Kind, buildId: string): string {
  return kind === 'remote' ? `${name.replace(/^mfe_/, '')}-${buildId}-` : '';
}

/** TypeScript, CSS Modules extracted to files (no style elements), and assets. */
function webModule({ refresh = false, scope = '' } = {}): ModuleOptions {
  return {
    parser: {
      // `import styles from './x.module.css'` needs the default export, which named exports would take away.
      // Custom properties keep their names: they are the design system's interface.
      'css/auto': { namedExports: false, dashedIdents: false },
      'css/module': { namedExports: false, dashedIdents: false },
    },
    generator: {
      // The hash covers the path inside the package only, so two modules could meet without the scope.
      'css/auto': { localIdentName: `${scope}[local]-[hash:6]`, exportsConvention: 'as-is' },
    },
    rules: [
      {
        test: SOURCE,
        loader: 'builtin:swc-loader',
        options: {
          jsc: {
            parser: { syntax: 'typescript', tsx: true },
            transform: { react: { runtime: 'automatic', development: refresh, refresh } },
          },
          env: { targets: BROWSERS },
        },
        type: 'javascript/auto',
      },
      { test: /\.css$/, type: 'css/auto' },
      uiLayerRule,
      remRule,
      // Hands the page's nonce to Radix; nothing is imported from it, so it would be left out.
      { test: /[\\/]ui[\\/]overlays[\\/]nonce\.ts$/, sideEffects: true },
      { test: /\.(woff2?|png|jpe?g|webp|avif|svg)$/, type: 'asset/resource' },
      {
        test: /[\\/]archivo-[\w-]+\.woff2$/,
        enforce: 'pre',
        loader: path.join(import.meta.dirname, 'narrow-font.mjs'),
      },
    ],
  };
}

function federation(name: string, exposes: Readonly<Record<string, string>>, dir: string): ModuleFederationPlugin {
  return new ModuleFederationPlugin({
    name,
    filename: 'remoteEntry.js',
    exposes,
    shared: remoteShared(dir),
    shareStrategy: 'loaded-first',
    manifest: true,
    dts: false,
    experiments: {
      optimization: { target: 'web' },
      // The host carries the federation runtime; each module would otherwise bring 26 KB of it again.
      externalRuntime: true,
    },
  });
}

/** A browser takes addresses and types of the contract (services/contracts/addresses); zod would be 60 KB of gzip that check nothing there. */
const schemasStay = new rspack.NormalModuleReplacementPlugin(/^zod$/, ({ contextInfo }) => {
  throw new Error(`${contextInfo.issuer} takes a schema into the browser`);
});

/** What the federation runtime reads at build time; the host uses the runtime alone, without the plugin. */
export const FEDERATION_CONSTANTS = {
  ENV_TARGET: JSON.stringify('web'),
  FEDERATION_BUILD_IDENTIFIER: JSON.stringify('cord_shell'),
  // The shell reads the manifests itself (shell/federation/manifest.ts).
  FEDERATION_OPTIMIZE_NO_SNAPSHOT_PLUGIN: true,
  FEDERATION_OPTIMIZE_NO_REMOTE: false,
  FEDERATION_OPTIMIZE_NO_SHARED: false,
  FEDERATION_HAS_EXPOSES: false,
};

/** The file of the cache group `react`. */
const REACT = /(^|\/)react\./;

function minifier(files: { include?: RegExp; exclude?: RegExp }, compress = {}) {
  return new rspack.SwcJsMinimizerRspackPlugin({
    ...files,
    extractComments: false,
    minimizerOptions: { ecma: 2022, compress: { passes: 3, ...compress } },
  });
}

/** `@cord/ui/overlays` and the packages that only it uses. */
const OVERLAYS =
  /[\\/]storybook[\\/]ui[\\/]overlays[\\/]|[\\/]node_modules[\\/](@?radix-ui|@floating-ui|qrcode\.react|react-remove-scroll(-bar)?|react-style-singleton|use-callback-ref|use-sidecar|get-nonce|aria-hidden|tslib)[\\/]/;

/** Workers (`new Worker`): each is one file, so that it loads nothing else. */
const WORKERS = ['ledger-check'];
const outsideWorkers = ({ name }: Chunk): boolean => !WORKERS.some((worker) => worker === name);
/** Files that a page does not begin with. */
const later = (chunk: Chunk): boolean => !chunk.canBeInitial() && outsideWorkers(chunk);
const behindSignIn = (chunk: Chunk): boolean => later(chunk) && chunk.name !== 'landing';

/** React changes seldom: its own file stays in the browser's cache from one version of the shell to the next. */
function hostCacheGroups() {
  return {
    // What opens over the page, with what it is made of: one file, which comes with the first dialog, menu or message.
    overlays: {
      test: OVERLAYS,
      name: 'overlays',
      chunks: later,
      priority: 15,
      enforce: true,
    },
    // The design system and the sdk behind the sign-in, with the contract's drawings and the query client that they use: one file, whichever
    // part of the app loads it first, so that no other file has a copy. The landing page has what it needs of them in its own.
    // Lists of pages come with the dialogs that have them.
    ui: {
      test: /[\\/](storybook[\\/]ui|services[\\/]contracts[\\/]drawing|node_modules[\\/]@tanstack(?!.*[iI]nfiniteQuery)|shell[\\/]sdk(?![\\/](views|as-left|shared-card)))[\\/]/,
      name: 'ui',
      chunks: behindSignIn,
      priority: 10,
      enforce: true,
    },
    // What four files or more take of the contract: each would have a copy of its own, the first screen two.
    contracts: {
      test: /[\\/]services[\\/]contracts[\\/]/,
      name: 'ui',
      chunks: behindSignIn,
      minChunks: 4,
      priority: 9,
      enforce: true,
    },
    // Loaded with the dashboard's parts and with the first module's page: one file for both.
    loader: {
      test: /[\\/]shell[\\/]federation[\\/]/,
      name: 'module-loader',
      chunks: later,
      priority: 10,
      enforce: true,
    },
    react: {
      test: /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]/,
      name: 'react',
      chunks: 'all' as const,
      priority: 20,
      enforce: true,
    },
  };
}
