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

/** Resolution of workspace sources in web code. */
const webResolve: ResolveOptions = {
  extensions: ['.tsx', '.ts', '.mjs', '.js'],
  extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
  conditionNames: ['source', 'browser', 'import', 'module', 'default'],
};

const SOURCE = /\.[cm]?tsx?$/;
const REFRESH_HOOK = path.join(import.meta.dirname, `dev-refresh-hook${path.extname(import.meta.filename)}`);

/** Name of the Trusted Types policy that every bundle uses for the URLs of its chunks. */
const TRUSTED_TYPES_POLICY = 'cord-bundler';

interface Bundle {
  /** Identifier of the bundle, without hyphens: module federation uses it as a variable name. */
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
  /** Unique id of the build. */
  buildId?: string;
  /** The published version. */
  version?: string;
  outputPath?: string;
  /** Address of the running shell for `rspack serve` of a module. */
  shell?: string;
  /** Set by `rspack serve`. */
  RSPACK_SERVE?: boolean;
}

/**
 * The preset of the shell and every module.
 * @returns the configuration of `rspack build` and `rspack serve`
 */
export function createConfig({ name, kind, dir, entry = './main.tsx', exposes = {} }: Bundle) {
  return (env: Env = {}): Configuration => configOf({ name, kind, dir, entry, exposes }, env);
}

function configOf({ name, kind, dir, entry, exposes }: Required<Bundle>, env: Env): Configuration {
  const { RSPACK_SERVE: dev = false, shell, outputPath = path.join(dir, 'dist') } = env;
  const { buildId = dev ? SERVED_BUILD : 'local', version = buildId } = env;
  // A server ends with its parent process.
  if (dev) process.once('disconnect', () => process.exit(0));
  // React in a production shell has no Fast Refresh, so the page reloads instead.
  const refresh = dev && shell === undefined;
  const publicPath = dev ? servedPath(kind === 'host' ? null : name) : kind === 'host' ? '/' : 'auto';
  return {
    name,
    context: dir,
    mode: dev ? 'development' : 'production',
    // No eval-based source map: the CSP has no unsafe-eval. The gateway adds a map's name in local mode only.
    devtool: dev ? 'cheap-module-source-map' : 'hidden-source-map',
    target: `browserslist:${BROWSERS.join(', ')}`,
    entry: kind === 'host' ? { main: dev ? [REFRESH_HOOK, entry] : entry } : {},
    resolve: webResolve,
    module: webModule({ refresh, scope: scopeOf(name, kind, buildId) }),
    output: {
      path: outputPath,
      clean: !dev,
      // The build id separates two builds of one module when a new version is published while a page is open.
      uniqueName: `${name}_${buildId}`,
      publicPath,
      filename: dev ? '[name].js' : 'assets/[name].[contenthash:8].js',
      chunkFilename: dev ? '[name].chunk.js' : 'assets/[name].[contenthash:8].js',
      cssFilename: dev ? '[name].css' : 'assets/[name].[contenthash:8].css',
      cssChunkFilename: dev ? '[name].chunk.css' : 'assets/[name].[contenthash:8].css',
      assetModuleFilename: 'assets/[name].[contenthash:8][ext]',
      crossOriginLoading: 'anonymous',
      // Maximum time for a spinner without a message.
      chunkLoadTimeout: 15_000,
      trustedTypes: { policyName: TRUSTED_TYPES_POLICY },
    },
    optimization: {
      minimizer: [
        minifier({ exclude: REACT }),
        // Does not inline React's functions into their only caller: this makes the gzip 1.4 % smaller.
        minifier({ include: REACT }, { inline: 0, reduce_vars: false }),
        new rspack.LightningCssMinimizerRspackPlugin({ minimizerOptions: { targets: BROWSERS } }),
      ],
      moduleIds: 'deterministic',
      chunkIds: 'deterministic',
      splitChunks:
        kind === 'host'
          ? { chunks: outsideWorkers, cacheGroups: hostCacheGroups() }
          : // Shared code of ./page and ./parts is loaded once, with its packages.
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
      // Classes of CSS Modules do not depend on order.
      /Conflicting order/,
      // It detects hot reload in a way that bundlers cannot analyse; it works without a result.
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

/** The entry has the hash of each chunk, so a browser rejects one whose bytes differ from the build. */
function chunkIntegrity() {
  return new rspack.SubresourceIntegrityPlugin({ hashFuncNames: ['sha256'], htmlPlugin: false });
}

/** Groups of files loaded first by a page or a visit of a tab, for shell and modules. */
const BEGIN_WITH = {
  host: ['main', 'landing', 'signed-in', 'module-loader', 'module-pages'],
  remote: ['__federation_expose_parts', '__federation_expose_page'],
};

/** Prefix of a bundle's class names. A page may have two builds of a module, whose styles must not collide. */
function scopeOf(name: string, kind: Kind, buildId: string): string {
  return kind === 'remote' ? `${name.replace(/^mfe_/, '')}-${buildId}-` : '';
}

/** TypeScript, CSS Modules extracted to files (no style elements), and assets. */
function webModule({ refresh = false, scope = '' } = {}): ModuleOptions {
  return {
    parser: {
      // `import styles from './x.module.css'` needs the default export, so named exports are off. Custom properties
      // keep their names, since they are the design system's interface.
      'css/auto': { namedExports: false, dashedIdents: false },
      'css/module': { namedExports: false, dashedIdents: false },
    },
    generator: {
      // The hash covers only the path inside the package, so two modules could collide without the scope.
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
      // Passes the page's nonce to Radix. Nothing imports its exports, so it would be dropped without this.
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
      // The host carries the federation runtime; otherwise each module would add 26 KB.
      externalRuntime: true,
    },
  });
}

/** Browser code uses only addresses and types of the contract; zod would add 60 KB of gzip without any use. */
const schemasStay = new rspack.NormalModuleReplacementPlugin(/^zod$/, ({ contextInfo }) => {
  throw new Error(`${contextInfo.issuer} imports a schema into a browser bundle`);
});

/** Build constants of the federation runtime; the host uses the runtime without the plugin. */
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
/** Whether a chunk is not part of a page's first files. */
const later = (chunk: Chunk): boolean => !chunk.canBeInitial() && outsideWorkers(chunk);
const behindSignIn = (chunk: Chunk): boolean => later(chunk) && chunk.name !== 'landing';

/** React changes rarely: its own file stays in the browser's cache across versions of the shell. */
function hostCacheGroups() {
  return {
    // Dialogs, menus and messages with their packages: one file, loaded with the first of them.
    overlays: {
      test: OVERLAYS,
      name: 'overlays',
      chunks: later,
      priority: 15,
      enforce: true,
    },
    // Design system and sdk behind the sign-in, with the contract's drawings and the query client: one file, so that no
    // other has a copy. The landing page's own file has what it needs of them. Paged lists come with the dialogs that
    // contain them.
    ui: {
      test: /[\\/](storybook[\\/]ui|services[\\/]contracts[\\/]drawing|node_modules[\\/]@tanstack(?!.*[iI]nfiniteQuery)|shell[\\/]sdk(?![\\/](views|as-left|shared-card)))[\\/]/,
      name: 'ui',
      chunks: behindSignIn,
      priority: 10,
      enforce: true,
    },
    // Contract code in four or more files: otherwise each would have a copy, the first screen two.
    contracts: {
      test: /[\\/]services[\\/]contracts[\\/]/,
      name: 'ui',
      chunks: behindSignIn,
      minChunks: 4,
      priority: 9,
      enforce: true,
    },
    // Used by the dashboard's parts and by the first module's page: one file for both.
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
