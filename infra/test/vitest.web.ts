import { onlineManager } from '@tanstack/react-query';
import { afterEach, beforeAll, vi } from 'vitest';

// Files share one `onlineManager`: an SDK that a file before has created would go on deciding whether the queries of this one are paused.
beforeAll(() => {
  onlineManager.setEventListener(() => undefined);
  onlineManager.setOnline(true);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
