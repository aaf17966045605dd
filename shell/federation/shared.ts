import * as sdk from '@cord/sdk';
import * as ui from '@cord/ui';
import * as react from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as reactDom from 'react-dom';
import * as reactDomClient from 'react-dom/client';
import { SDK_VERSION, UI_VERSION } from './sdk-version';

type Shared = { version: string } & ({ lib: () => unknown } | { get: () => Promise<() => unknown> });

/**
 * Packages that the shell shares with its modules, loaded once per page (infra/build/shared.ts is the same list for
 * the modules; a test compares the two).
 */
export const SHARED: Readonly<Record<string, Shared>> = {
  react: { version: react.version, lib: () => react },
  'react/jsx-runtime': { version: react.version, lib: () => jsxRuntime },
  'react-dom': { version: reactDom.version, lib: () => reactDom },
  'react-dom/client': { version: reactDom.version, lib: () => reactDomClient },
  '@cord/sdk': { version: SDK_VERSION, lib: () => sdk },
  // Loaded on first import, not with the page.
  '@cord/sdk/views': { version: SDK_VERSION, get: () => import('@cord/sdk/views').then((views) => () => views) },
  '@cord/ui': { version: UI_VERSION, lib: () => ui },
  '@cord/ui/overlays': { version: UI_VERSION, get: () => ui.loadOverlays().then((overlays) => () => overlays) },
};
