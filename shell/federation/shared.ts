import * as sdk from '@cord/sdk';
import * as ui from '@cord/ui';
import * as react from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as reactDom from 'react-dom';
import * as reactDomClient from 'react-dom/client';
import { SDK_VERSION, UI_VERSION } from './sdk-version';

/**
 * What the shell gives its modules, so that a page holds each once (infra/build/shared.mjs is the same list from
 * the modules' side; a test compares the two).
 */
export const SHARED: Readonly<Record<string, { version: string; lib: unknown }>> = {
  react: { version: react.version, lib: react },
  'react/jsx-runtime': { version: react.version, lib: jsxRuntime },
  'react-dom': { version: reactDom.version, lib: reactDom },
  'react-dom/client': { version: reactDom.version, lib: reactDomClient },
  '@cord/sdk': { version: SDK_VERSION, lib: sdk },
  '@cord/ui': { version: UI_VERSION, lib: ui },
};
