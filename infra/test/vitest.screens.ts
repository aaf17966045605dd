import { configure } from '@testing-library/react';
import { beforeAll, vi } from 'vitest';
import { welcomePerson } from '../../shell/sdk/storage';
import { PATIENCE_MS } from '../../shell/sdk/testing/patience';

configure({ asyncUtilTimeout: PATIENCE_MS });

// Files share a browser: what one has left behind is none of the next one's business.
beforeAll(() => {
  vi.useRealTimers();
  localStorage.clear();
  sessionStorage.clear();
  welcomePerson();
  window.history.replaceState(null, '', '/');
  document.body.replaceChildren();
});
