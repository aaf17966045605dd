import type { ResponseOf } from '@cord/contracts/calls';
import { at, SAMPLE_NOW_MS, sampleCheck, sampleMining, sampleSettings } from '@cord/sdk/testing';
import { type ReactNode, useState } from 'react';
import { INNER_PARTS } from './module-parts';
import { sampleNotices } from './sample-notices';
import { createTestShell, InShell, type TestShell, type TestShellOptions } from './test-shell';

type SupportRequest = ResponseOf<typeof at.support.file>;

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

/** Network check of a user who shares an address with two others, at level 1. */
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

/** A shell whose server responds to every call, as in the catalogue's pictures. */
export function createStoryShell(options: TestShellOptions = {}): TestShell {
  const shell = createTestShell({ live: true, parts: INNER_PARTS, ...options });
  shell.sdk.api
    .on(at.mining.current, sampleMining())
    .on(at.leaderboard.global, { activeMiners: 212, totalMiners: 1_284, totalMined: 7_912_412.8, onlineNow: 212 })
    .on(at.rewards.currentEpoch, {
      id: 'beta',
      name: 'Beta',
      description: 'All mining pays a tenth more until the epoch closes.',
      rewardsMultiplier: 1.1,
      startDate: iso(SAMPLE_NOW_MS - 200 * HOUR_MS),
      endDate: iso(SAMPLE_NOW_MS + 158 * HOUR_MS + 22 * 60_000),
    })
    .on(at.rewards.compensationStatus, { available: true, claimed: false, amount: 5_000, claimedAt: null })
    .on(at.users.getSettings, sampleSettings({ autoStart: true }))
    .on(at.users.putSettings, sampleSettings({ autoStart: true }))
    .on(at.notices.list, { notices: sampleNotices(SAMPLE_NOW_MS), unread: 3, nextCursor: null })
    .on(at.notices.read, { unread: 0 })
    .on(at.notices.pushKey, { key: null })
    .on(at.notices.pushDevices, [])
    .on(at.auth.sessions, SESSIONS)
    .on(at.support.anticheat, sampleCheck())
    .on(at.support.mine, [ANSWERED])
    .on(at.support.file, ({ body }) => ({ ...WAITING, ...body }))
    .on(at.mining.history, [
      sampleMining(),
      { ...sampleMining({ status: 'ended' }), id: '1'.repeat(32), endedAt: iso(SAMPLE_NOW_MS) },
    ])
    .on(at.checkin.history, [{ dayKey: '2026-11-21', rewardAmount: 50, bonusAmount: 20, streak: 4 }])
    .on(at.auth.acknowledgeWelcome, undefined)
    .on(at.auth.jwks, { keys: [] });
  return shell;
}

/** Creates a shell for one story, once, and renders the story in it. */
export function StoryShell({ prepare, children }: { prepare: () => TestShell; children: ReactNode }) {
  const [shell] = useState(prepare);
  return <InShell shell={shell}>{children}</InShell>;
}

/** Returns a story in its own shell; `change` prepares its state. */
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
