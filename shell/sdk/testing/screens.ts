/* The setup of tests that render (`setupFiles` of vitest), here and in a module's own repository. */
import { loadOverlays } from '@cord/ui';
import { browserOf } from '@cord/ui/testing';
import { configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { welcomePerson } from '../storage';
import { PATIENCE_MS } from './patience';
import { cleanup } from './render';

configure({ asyncUtilTimeout: PATIENCE_MS });

// Dialogs, menus and popovers open at once, as they do once their code has come.
beforeAll(async () => void (await loadOverlays()));

// Tests share a browser: what one has left behind is none of the next one's business.
beforeEach(() => {
  welcomePerson();
  browserOf({ widthPx: 1440 });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
});
// An overlay that has gone gives the focus back a timer later, and needs the document for it.
afterAll(() => new Promise<void>((resolve) => setTimeout(resolve)));
