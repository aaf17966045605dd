import { authEndpoints } from '@cord/contracts/http/auth';
import { leaderboardEndpoints } from '@cord/contracts/http/leaderboard';
import { miningEndpoints } from '@cord/contracts/http/mining';
import { rewardEndpoints } from '@cord/contracts/http/rewards';
import { userEndpoints } from '@cord/contracts/http/users';
import { SAMPLE_NOW_MS, sampleMining } from '@cord/sdk/testing';
import { type ReactNode, useState } from 'react';
import { createTestShell, InShell, type TestShell, type TestShellOptions } from './test-shell';

const HOUR_MS = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();

const SESSIONS = [
  { device: 'Chromium on Linux', current: true, id: 'a'.repeat(32) },
  { device: 'Safari on iPhone', current: false, id: 'b'.repeat(32) },
].map((session) => ({
  ...session,
  createdAt: iso(SAMPLE_NOW_MS - 4 * HOUR_MS),
  lastSeenAt: iso(SAMPLE_NOW_MS - HOUR_MS),
  expiresAt: iso(SAMPLE_NOW_MS + 168 * HOUR_MS),
}));

/** A shell whose server answers everything, as on the pictures of the catalogue. */
export function createStoryShell(options: TestShellOptions = {}): TestShell {
  const shell = createTestShell({ live: true, ...options });
  shell.sdk.api
    .on(miningEndpoints.current, sampleMining())
    .on(leaderboardEndpoints.global, { activeMiners: 212, totalMiners: 1_284, totalMined: 7_912_412.8, onlineNow: 212 })
    .on(rewardEndpoints.currentEpoch, {
      id: 'beta',
      name: 'Beta',
      description: 'All mining pays a tenth more until the epoch closes.',
      rewardsMultiplier: 1.1,
      startDate: iso(SAMPLE_NOW_MS - 200 * HOUR_MS),
      endDate: iso(SAMPLE_NOW_MS + 158 * HOUR_MS + 22 * 60_000),
    })
    .on(rewardEndpoints.compensationStatus, { available: true, claimed: false, amount: 5_000, claimedAt: null })
    .on(userEndpoints.getSettings, { autoStart: true, notifications: false })
    .on(userEndpoints.putSettings, { autoStart: true, notifications: false })
    .on(authEndpoints.sessions, SESSIONS)
    .on(authEndpoints.acknowledgeWelcome, undefined)
    .on(authEndpoints.jwks, { keys: [] });
  return shell;
}

/** Makes a shell for one story, once, and shows the story in it. */
export function StoryShell({ prepare, children }: { prepare?: () => TestShell; children: ReactNode }) {
  const [shell] = useState(prepare ?? createStoryShell);
  return <InShell shell={shell}>{children}</InShell>;
}
