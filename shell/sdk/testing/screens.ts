/* Setup of tests that render (`setupFiles` of vitest), here and in a module's own repository. */
import { loadOverlays } from '@cord/ui';
import { browserOf } from '@cord/ui/testing';
import { configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { welcomePerson } from '../storage';
import { PATIENCE_MS } from './patience';
import { cleanup } from './render';

configure({ asyncUtilTimeout: PATIENCE_MS });

// Dialogs, menus and popovers open at once, as after their code has loaded.
beforeAll(async () => void (await loadOverlays()));

// Tests share a browser, so each starts from a clean state.
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
// A closed overlay restores focus one timer later and needs the document for it.
afterAll(() => new Promise<void>((resolve) => setTimeout(resolve)));
