import { configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { welcomePerson } from '../../shell/sdk/storage';
import { PATIENCE_MS } from '../../shell/sdk/testing/patience';
import { cleanup } from '../../shell/sdk/testing/render';
import { browserOf } from '../../shell/testing/browser';
import { loadOverlays } from '../../storybook/ui/triggers/on-demand';

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
