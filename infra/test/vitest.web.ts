import { onlineManager } from '@tanstack/react-query';
import { afterEach, beforeAll, vi } from 'vitest';

// Files share one `onlineManager`: the SDK of an earlier file would still decide whether this file's queries are paused.
beforeAll(() => {
  onlineManager.setEventListener(() => undefined);
  onlineManager.setOnline(true);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});
