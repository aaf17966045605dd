import { at, offline, sampleUser, storyOf, type TestSdk, type TestSdkOptions } from '@cord/sdk/testing';
import { expect, userEvent, waitFor, within } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Room } from '../room/room';
import { IN_ROOM } from '../room/room.meta';
import { overviewSdk, SAMPLE_OUTAGE_NODES, SAMPLE_OUTAGES, sampleIssued, sampleOverview } from './overview.fixtures';

export default { ...IN_ROOM, title: 'Operators/Overview' };

function story(prepare?: (sdk: TestSdk) => void, options: TestSdkOptions = {}): StoryObj {
  return storyOf(Room, () => overviewSdk(options), prepare);
}

export const AsUsual = story();

export const NotAsUsual = story(({ api }) => {
  api.healthy = { status: 'down', services: { ...api.healthy?.services, rewards: 'down' } };
  const parkedCredits = { count: 100, more: true, oldestAt: '2026-11-20T08:00:00Z', missing: ['referrals'] };
  const [stream, ...streams] = sampleOverview().streams;
  api.on(
    at.overview.overview,
    sampleOverview({
      parkedCredits,
      deadLetters: 3,
      streams: stream ? [{ ...stream, bytes: stream.limitBytes * 0.91 }, ...streams] : [],
      clientErrors: [
        { module: 'mfe_tasks', count: 1_284 },
        { module: 'shell', count: 2 },
      ],
      switchesOff: ['claims', 'module.mfe_tasks'],
    }),
  );
  api.on(at.overview.issued, ({ query }) =>
    sampleIssued(query?.range ?? '30d', {
      audit: { at: '2026-11-20T18:00:00Z', accounts: 1_302, drift: 0.000002 },
    }),
  );
});

export const NatsAndGatewayAway = story(({ api }) => {
  api.healthy = null;
  api.on(at.overview.overview, sampleOverview({ deadLetters: null, streams: [] }));
});

export const New = story(
  ({ api }) =>
    void api
      .on(at.overview.issued, ({ query }) => {
        const { buckets, ...issued } = sampleIssued(query?.range ?? '30d', {
          total: 0,
          countedSince: null,
          audit: null,
        });
        const none = { mining: 0, checkin: 0, tasks: 0, commission: 0, claims: 0, total: 0 };
        return { ...issued, buckets: buckets.map((bucket) => ({ ...bucket, ...none })) };
      })
      .on(at.leaderboard.global, { activeMiners: 0, totalMiners: 0, totalMined: 0, onlineNow: 1 }),
);

const afterOutages = ({ api }: TestSdk) =>
  void api.on(at.checkin.outages, SAMPLE_OUTAGES).on(at.overview.outageNodes, SAMPLE_OUTAGE_NODES);
export const AfterOutages = story(afterOutages);
export const PausedNodes = story((sdk) => {
  afterOutages(sdk);
  sdk.tabs.setParam('admin', 'outage', SAMPLE_OUTAGES.outages[0]?.from ?? null);
});
export const OutagesFailed = story(({ api }) => void api.fail(at.checkin.outages, offline()));

export const Loading = story(({ api }) => void api.hang(at.overview.overview));
export const Failed = story(({ api }) => void api.fail(at.overview.overview, offline()));
export const IssuedFailed = story(({ api }) => void api.fail(at.overview.issued, offline()));
export const NoOperator: StoryObj = {
  ...story(undefined, { user: sampleUser() }),
  play: async ({ canvas }) => {
    await canvas.findByRole('heading', { name: /./ });
  },
};

export const AsTable: StoryObj = {
  ...story((sdk) => sdk.tabs.setParam('admin', 'as', 'table')),
  play: async ({ canvas }) => {
    const table = await canvas.findByRole('table', { name: 'CORD issued by source' });
    await expect(within(table).getAllByRole('row')).toHaveLength(31);
  },
};

export const Keys: StoryObj = {
  ...story(),
  play: async ({ canvasElement }) => {
    const { body } = canvasElement.ownerDocument;
    await within(canvasElement).findByRole('heading', { level: 1, name: 'Overview' });
    await userEvent.keyboard('?');
    const dialog = await within(body).findByRole('dialog', { name: 'Shortcuts' });
    await waitFor(() => expect(dialog).toBeVisible());
  },
};
