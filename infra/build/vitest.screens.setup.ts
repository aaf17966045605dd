import { beforeAll, vi } from 'vitest';

// Files share a browser: what one has left behind is none of the next one's business.
beforeAll(() => {
  vi.useRealTimers();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
  document.body.replaceChildren();
});
