import { at, offline, problem, SAMPLE_NOW_MS } from '@cord/sdk/testing';
import { useState } from 'react';
import { userEvent } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { StoryShell } from '../testing/story-shell';
import { begunAnew, KEY, logOfRecords } from './check.fixtures';
import { CheckView } from './check-view';
import { hasSeen, type Stage, stage } from './check-view.stage';

export default { title: 'Shell/Check your ledger' };

const view = { open: () => undefined, close: () => undefined };

function Shown({ prepare }: { prepare: () => Stage }) {
  const [{ shell, engine }] = useState(() => {
    localStorage.removeItem('cord.ledger-log');
    localStorage.removeItem('cord.ledger-own');
    return prepare();
  });
  return (
    <StoryShell prepare={() => shell}>
      <CheckView view={view} engine={engine} />
    </StoryShell>
  );
}

/** Starts a check and waits for its result. */
const checked = (prepare: () => Stage, ends: RegExp): StoryObj => ({
  render: () => <Shown prepare={prepare} />,
  play: async ({ canvas }) => {
    await userEvent.click(await canvas.findByRole('button', { name: /^Check (now|again)$/ }));
    await canvas.findByText(ends);
  },
});

export const NotChecked: StoryObj = { render: () => <Shown prepare={stage} /> };

export const Holds: StoryObj = { ...checked(stage, /^Your ledger matches the root/), tags: ['w390'] };

export const EntryChanged: StoryObj = {
  ...checked(
    () =>
      stage(({ proof }) => {
        const entry = proof.entries[6];
        if (entry) entry.reason = 'Mining at 1 CORD/min';
      }),
    /^Entry 7 does not match$/,
  ),
  tags: ['w390'],
};

export const AnotherLog: StoryObj = checked(() => {
  const made = stage();
  const { records, keys } = made.sample;
  const other = logOfRecords(records.map((record) => record.replace('accounts 3', 'accounts 4')));
  hasSeen(
    other,
    keys.keys.map(({ vkey }) => vkey),
  );
  return made;
}, /^The log is not the one this browser has seen before$/);

export const BegunAnew: StoryObj = {
  ...checked(() => {
    const { log: old } = stage().sample;
    hasSeen(old, [KEY.vkey]);
    const reason = 'The store was restored from a backup of 19 November 2026, 03:00 UTC';
    return stage((sample) => begunAnew(sample, old.text, { atMs: SAMPLE_NOW_MS - 7_200_000, reason }));
  }, /^A new log was started on/),
  tags: ['w390'],
};

export const Late: StoryObj = checked(() => stage(() => undefined, '2026-11-18'), /is not published yet$/);

export const FirstDay: StoryObj = checked(() => {
  const made = stage();
  made.shell.sdk.api.fail(at.log.proof, problem(404, 'There is no root yet', 'no-root'));
  return made;
}, /^Your first entries are in no root yet$/);

export const NotRead: StoryObj = checked(() => {
  const made = stage();
  made.shell.sdk.api.fail(at.log.proof, offline());
  return made;
}, /^The check could not be made$/);

export const Reading: StoryObj = checked(() => {
  const made = stage();
  made.shell.sdk.api.hang(at.log.proof);
  return made;
}, /^Checking, 1 of 2$/);
