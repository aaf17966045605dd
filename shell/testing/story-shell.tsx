import * as authEndpoints from '@cord/contracts/addresses/auth';
import * as checkinEndpoints from '@cord/contracts/addresses/checkin';
import * as leaderboardEndpoints from '@cord/contracts/addresses/leaderboard';
import * as miningEndpoints from '@cord/contracts/addresses/mining';
import * as noticesEndpoints from '@cord/contracts/addresses/notices';
import * as rewardEndpoints from '@cord/contracts/addresses/rewards';
import * as supportEndpoints from '@cord/contracts/addresses/support';
import * as userEndpoints from '@cord/contracts/addresses/users';
import type { ResponseOf } from '@cord/contracts/calls';
import { SAMPLE_NOW_MS, sampleCheck, sampleMining, sampleSettings } from '@cord/sdk/testing';
import { type ReactNode, useState } from 'react';
import { INNER_PARTS } from './module-parts';
import { sampleNotices } from './sample-notices';
import { createTestShell, InShell, type TestShell, type TestShellOptions } from './test-shell';

type SupportRequest = ResponseOf<typeof supportEndpoints.file>;

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

/** One who shares their address with two others, at level 1. */
export const LEVEL_1 = sampleCheck({
  efficiencyMultiplier: 0.75,
  penaltyLevel: 1,
  levelName: 'Level 1',
  isFlagged: true,
  riskScore: 25,
  totalUsersOnIp: 3,
  otherUsersOnIp: 2,
  warningMessage:
    '2 other accounts have mined from your network address in the last 30 days. Your mining rate is reduced to 75%. You may appeal in Settings.',
  mayAppeal: true,
});

export const ANSWERED: SupportRequest = {
  id: 'c'.repeat(32),
  kind: 'support',
  subject: 'My streak is gone',
  text: 'I checked in every day of last week, and now it says day 1.',
  status: 'answered',
  answer: 'Days are counted in UTC, and the 18th is missing. The streak is as it should be.',
  createdAt: iso(SAMPLE_NOW_MS - 30 * HOUR_MS),
  answeredAt: iso(SAMPLE_NOW_MS - 4 * HOUR_MS),
};

export const WAITING: SupportRequest = {
  ...ANSWERED,
  id: 'd'.repeat(32),
  subject: 'A question',
  status: 'open',
  answer: null,
  answeredAt: null,
};

/** A shell whose server answers everything, as on the pictures of the catalogue. */
export function createStoryShell(options: TestShellOptions = {}): TestShell {
  const shell = createTestShell({ live: true, parts: INNER_PARTS, ...options });
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
    .on(userEndpoints.getSettings, sampleSettings({ autoStart: true }))
    .on(userEndpoints.putSettings, sampleSettings({ autoStart: true }))
    .on(noticesEndpoints.list, { notices: sampleNotices(SAMPLE_NOW_MS), unread: 3, nextCursor: null })
    .on(noticesEndpoints.read, { unread: 0 })
    .on(noticesEndpoints.pushKey, { key: null })
    .on(noticesEndpoints.pushDevices, [])
    .on(authEndpoints.sessions, SESSIONS)
    .on(supportEndpoints.anticheat, sampleCheck())
    .on(supportEndpoints.mine, [ANSWERED])
    .on(supportEndpoints.file, ({ body }) => ({ ...WAITING, ...body }))
    .on(miningEndpoints.history, [
      sampleMining(),
      { ...sampleMining({ status: 'ended' }), id: '1'.repeat(32), endedAt: iso(SAMPLE_NOW_MS) },
    ])
    .on(checkinEndpoints.history, [{ dayKey: '2026-11-21', rewardAmount: 50, bonusAmount: 20, streak: 4 }])
    .on(authEndpoints.acknowledgeWelcome, undefined)
    .on(authEndpoints.jwks, { keys: [] });
  return shell;
}

/** Makes a shell for one story, once, and shows the story in it. */
export function StoryShell({ prepare, children }: { prepare: () => TestShell; children: ReactNode }) {
  const [shell] = useState(prepare);
  return <InShell shell={shell}>{children}</InShell>;
}

/** A story of this content in a shell of its own, in which `change` brings about what it shows. */
export function storyIn(
  content: ReactNode,
  change: (shell: TestShell) => void = () => undefined,
  options: TestShellOptions = {},
) {
  const prepare = () => {
    const shell = createStoryShell(options);
    change(shell);
    return shell;
  };
  return { render: () => <StoryShell prepare={prepare}>{content}</StoryShell> };
}
