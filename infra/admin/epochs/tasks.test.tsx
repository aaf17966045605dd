import { at } from '@cord/sdk/testing';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openRoom, panel, testsOfView } from '../room/testing';
import { epochsSdk, TASKS } from './epochs.fixtures';
import { form, rowsOf } from './epochs.stage';

testsOfView('epochs');

test('a task shows the effect of a new reward on its claims, and is saved field by field; the check-in has no form', async () => {
  const { user, sdk } = await openRoom(epochsSdk());
  const table = within(screen.getByRole('table', { name: 'Tasks' }));
  expect(table.queryByRole('button', { name: 'Edit daily-checkin' })).toBeNull();
  expect(table.getByText('50 + streak')).toBeDefined();
  await user.click(table.getByRole('button', { name: 'Edit mine-1-hour' }));
  const task = form('Edit mine-1-hour');
  const reward = task.getByLabelText('Base reward, CORD');
  for (const typed of ['0', '10,000', '1.000']) {
    await user.clear(reward);
    await user.paste(typed);
    expect(task.getByText('More than 0, at most 10,000, without thousands separators')).toBeDefined();
  }
  await user.click(task.getByRole('button', { name: 'Save task' }));
  expect(sdk.api.callsOf(at.tasks.update)).toEqual([]);
  await user.clear(reward);
  await user.paste('40');
  // 1,200 claims at ×1 and 1,004 at ×3.5: 40 x 4,714 against 35 x 4,714 in 7 days.
  expect(task.getByText(/those claims would be 188,560.00/)).toBeDefined();
  expect(task.getByText(/That is 3,367.14 CORD more a day/)).toBeDefined();
  await user.click(task.getByRole('button', { name: 'Save task' }));
  await user.paste('Dearer hours');
  await user.click(panel().getByRole('button', { name: 'Save' }));
  expect(sdk.api.callsOf(at.tasks.update).at(-1)?.body).toEqual({ reward: 40, reason: 'Dearer hours' });
  expect(table.getByText('40')).toBeDefined();
});

test('each task shows its end, its pay at three tiers and its share of all rewards', async () => {
  const sdk = epochsSdk();
  const ended = TASKS.map((task) =>
    task.id === 'winter-week' ? { ...task, expiresAt: '2026-11-20T07:00:00Z' } : task,
  );
  sdk.api.on(at.tasks.catalogue, { tasks: ended, days: 7, countedSince: null });
  const { user } = await openRoom(sdk);
  expect(rowsOf('Tasks')).toEqual([
    'daily-checkinDaily50 + streak55 to 15055 to 15055 to 1502,861271,79544%',
    'mine-1-hourDaily3535.00122.50350.002,204164,99027%',
    'weekly-miningWeekly200200.00700.002,000.00318163,60026%',
    'follow-xends 24 Nov 2026, 11:03Social5050.00175.00500.00615,5500%',
    'early-adopterAchievement750750.002,625.007,500.00000%',
    'winter-weekended 20 Nov 2026, 07:00seasonal12.5012.5043.75125.00000%',
  ]);
  expect(screen.getByText(/^Past claims keep their amount/).textContent).toBe(
    'Past claims keep their amount. daily-checkin follows the streak rule and cannot be edited. No claims have been counted yet.',
  );
  await user.click(screen.getByRole('button', { name: 'Edit early-adopter' }));
  expect(form('Edit early-adopter').getByText(/^It was not claimed in 7 days/)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Edit weekly-mining' }));
  const reward = form('Edit weekly-mining').getByLabelText('Base reward, CORD');
  await user.clear(reward);
  await user.paste('100');
  expect(form('Edit weekly-mining').getByText('Effect of this change.').parentElement?.textContent).toBe(
    'Effect of this change. It was claimed 318 times in 7 days, for 163,600.00 CORD. With 100.00 CORD those claims would be 81,800.00. That is 11,685.71 CORD less a day.',
  );
});

test('a new task has the chosen kind and measure, and is deleted with a reason', async () => {
  const { user, sdk } = await openRoom(epochsSdk());
  await user.click(screen.getByRole('button', { name: 'New task' }));
  const task = form('New task');
  await user.click(task.getByRole('radio', { name: 'Social' }));
  await user.click(task.getByRole('radio', { name: 'A visit to the link' }));
  const type = (label: string, value: string) => fireEvent.change(task.getByLabelText(label), { target: { value } });
  type('Short name, used in links', 'Join Telegram');
  type('Title', 'Join');
  type('Link', 'https://t.me/cord');
  type('Ends, UTC', '2026-12-24T00:00');
  await user.click(task.getByRole('button', { name: 'Save task' }));
  expect(screen.queryByTestId('confirm')).toBeNull();
  type('Short name, used in links', 'Join-Telegram');
  await user.click(task.getByRole('button', { name: 'Save task' }));
  expect(screen.getByTestId('confirm').textContent).toBe(
    'New: JoinEscKindSocialTitleJoinDescriptionnoneBase reward, CORD50.00Goal1CountsA visit to the linkLinkhttps://t.me/cordEnds, UTC24 Dec 2026, 00:00Past claims keep their amount.Reason, recorded in AuditCreateEnter a reason of at least three characters.Cancel',
  );
  await user.keyboard('For the launch{Enter}');
  expect(sdk.api.callsOf(at.tasks.create).map(({ body }) => body)).toEqual([
    {
      description: '',
      expiresAt: '2026-12-24T00:00:00.000Z',
      id: 'join-telegram',
      maxProgress: 1,
      measure: 'visit',
      reason: 'For the launch',
      reward: 50,
      socialUrl: 'https://t.me/cord',
      title: 'Join',
      type: 'social',
    },
  ]);
  await user.click(screen.getByRole('button', { name: 'Edit join-telegram' }));
  await user.click(form('Edit join-telegram').getByRole('button', { name: 'Delete' }));
  await user.keyboard('Over{Enter}');
  expect(sdk.api.callsOf(at.tasks.remove).map(({ params, query }) => [params, query])).toEqual([
    [
      {
        id: 'join-telegram',
      },
      {
        reason: 'Over',
      },
    ],
  ]);
});
