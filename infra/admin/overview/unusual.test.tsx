import { at, problem } from '@cord/sdk/testing';
import { settle } from '@cord/sdk/testing/render';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { testsOfView } from '../room/testing';
import { sampleIssued, sampleOverview } from './overview.fixtures';
import { openOverview, unusual } from './overview.stage';

testsOfView('overview');

test('unusual conditions are listed, the most serious first', async () => {
  await openOverview(({ api }) => {
    api.healthy = { status: 'down', services: { auth: 'ok', rewards: 'down' } };
    const [first, ...streams] = sampleOverview().streams;
    const full = first && { ...first, bytes: first.limitBytes * 0.8 };
    api.on(
      at.overview.overview,
      sampleOverview({
        deadLetters: 1,
        parkedCredits: { count: 2, more: false, oldestAt: null, missing: ['tasks'] },
        streams: full ? [full, ...streams] : [],
        switchesOff: ['claims'],
      }),
    );
    const audit = { at: '2026-11-20T18:00:00Z', accounts: 9, drift: 0.000001 };
    const root = {
      day: '2026-11-18',
      at: '2026-11-19T00:10:03Z',
      accounts: 9,
      size: 3,
      late: true,
      memo: null,
      witnesses: [],
    };
    api.on(at.overview.issued, sampleIssued('30d', { audit, root }));
  });
  const sentences = within(screen.getByTestId('unusual')).getAllByRole('listitem');
  expect(sentences.map((sentence) => sentence.textContent)).toEqual([
    'rewards is not responding normally.',
    'The last audit found a drift of 0.000001 CORD.',
    'The root of the day after 18 Nov 2026 is not published.',
    '2 pending credits were refused by the ledger and need an operator.',
    'tasks did not respond. Its refused credits are not counted.',
    '1 dead letter waits for npx cord dead-letters.',
    'The stream CORD_BALANCE is 80% full.',
    'claims is switched off.',
  ]);
});

test('"normal" is not shown before everything is known', async () => {
  await openOverview(({ api }) => void api.hang(at.overview.issued));
  expect(screen.queryByTestId('unusual')).toBeNull();
});

test('an audit and a root that cannot be read are unusual', async () => {
  const { sdk } = await openOverview(({ api }) => void api.fail(at.overview.issued, problem(503, 'away')));
  expect(unusual()).toBe('The audit and the root could not be read.');
  sdk.api.on(at.overview.issued, sampleIssued('30d'));
  await settle(31_000);
  expect(unusual()).toBe('Everything is running normally.');
  sdk.api.fail(at.overview.issued, problem(503, 'away'));
  await settle(31_000);
  expect(unusual()).toBe('The audit and the root could not be read.');
});
