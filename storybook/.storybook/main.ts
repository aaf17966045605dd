import { moduleFolders } from '@cord/build/built.ts';
import { remRule } from '@cord/build/rem.mjs';
import { uiLayerRule } from '@cord/build/ui-layer.mjs';
import { mergeRsbuildConfig } from '@rsbuild/core';
import { pluginReact } from '@rsbuild/plugin-react';
import type { StorybookConfig } from 'storybook-react-rsbuild';

/** The catalogue: stories of the design system, the shell and every module, beside their code. */
const config: StorybookConfig = {
  framework: { name: 'storybook-react-rsbuild', options: {} },
  stories: ['../ui', '../../shell', ...moduleFolders().map((dir) => `../../${dir}`)].map((directory) => ({
    directory,
    files: '**/*.stories.tsx',
  })),
  // As notices draws them (pictures/share-card.ts), where pages request them.
  staticDirs: [
    { from: '../pictures/share-card.png', to: '/share/K7M2QX9D.png' },
    { from: '../pictures/rank-card.png', to: '/share/rank/0123456789abcdef0123456789abcdef.png' },
  ],
  addons: ['@storybook/addon-a11y'],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true, enableCrashReports: false },
  typescript: { reactDocgen: false, check: false },
  rsbuildFinal: (rsbuild) =>
    mergeRsbuildConfig(rsbuild, {
      plugins: [pluginReact()],
      resolve: { conditionNames: ['source', '...'] },
      // Sources that node runs too import each other with `.js`.
      tools: {
        rspack: {
          resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
          module: { rules: [uiLayerRule, remRule] },
          // One file of the design system's styles: again in each chunk, a later one would undo what overrides it.
          optimization: {
            splitChunks: {
              cacheGroups: {
                ui: {
                  name: 'ui',
                  test: /storybook\/ui\/.*\.css$/,
                  type: 'css/mini-extract',
                  chunks: 'all',
                  enforce: true,
                },
              },
            },
          },
        },
      },
      performance: { printFileSize: false },
    }),
};

export default config;
