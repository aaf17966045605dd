import { onlineManager } from '@tanstack/react-query';
import { beforeAll } from 'vitest';

// Files share one `onlineManager`: an SDK that a file before has created would go on deciding whether the queries of this one are paused.
beforeAll(() => {
  onlineManager.setEventListener(() => undefined);
  onlineManager.setOnline(true);
});
