import { at, offline, problem, storyOf, type TestSdk } from '@cord/sdk/testing';
import { expect, userEvent, within } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Room } from '../room/room';
import { IN_ROOM } from '../room/room.meta';
import { HARBOUR_ID, listedUser, sampleAccount, sampleNetwork, usersSdk } from './users.fixtures';

export default { ...IN_ROOM, title: 'Operators/Users' };

function story(open: string | null = null, prepare?: (sdk: TestSdk) => void): StoryObj {
  return storyOf(Room, () => usersSdk(open), prepare);
}
const part = (name: string, prepare?: (sdk: TestSdk) => void) =>
  story(HARBOUR_ID, (sdk) => {
    sdk.tabs.setParam('admin', 'part', name);
    prepare?.(sdk);
  });
const act = (name: string, prepare?: (sdk: TestSdk) => void) =>
  story(HARBOUR_ID, (sdk) => {
    sdk.tabs.setParam('admin', 'act', `${name} ${HARBOUR_ID}`);
    prepare?.(sdk);
  });
const LONGEST = 'W'.repeat(32);

export const List = story();
export const NobodyFound = story(null, (sdk) => sdk.tabs.setParam('admin', 'name', 'zzz'));
export const ListLoading = story(null, ({ api }) => void api.hang(at.admin.users));
export const ListFailed = story(null, ({ api }) => void api.fail(at.admin.users, offline()));
export const LongestAndMore = story(null, ({ api }) => {
  const cleared = { penaltyLevel: 0, efficiencyMultiplier: 1, cleared: true };
  const users = [listedUser(LONGEST, { isAdmin: true, network: cleared })];
  api.on(at.admin.users, { users, nextCursor: `i.${HARBOUR_ID}` });
});

export const Account = story(HARBOUR_ID);
export const OneSource = story(HARBOUR_ID, (sdk) => sdk.tabs.setParam('admin', 'source', 'task'));
export const NoneOfItHere = story(HARBOUR_ID, (sdk) => {
  sdk.tabs.setParam('admin', 'source', 'commission');
  sdk.api.on(at.admin.ledger, { entries: [], open: 33, count: 2, nextCursor: '1138' });
});
export const MiningSessions = part('mining');
export const Orders = part('orders');
export const Claims = part('claims');
export const SignIns = part('signins');
export const Cases = part('cases');
export const Trail = part('trail');
export const Operator = story(HARBOUR_ID, ({ api }) => {
  const anticheat = {
    ...sampleAccount().anticheat,
    efficiencyMultiplier: 1,
    penaltyLevel: 0,
    isFlagged: false,
    levelName: 'Clean',
  };
  api.on(
    at.support.userDetail,
    sampleAccount({ isAdmin: true, is_node_active: false, rank: null, support: [], anticheat }),
  );
  api.on(at.admin.network, sampleNetwork({ addresses: [], cleared: true }));
  api.on(at.admin.ledger, { entries: [], open: 0, count: 0, nextCursor: null });
});
export const NeverMined = part('mining', ({ api }) => void api.on(at.admin.mining, { sessions: [], nextCursor: null }));
export const NoOrders = part('orders', ({ api }) => void api.on(at.admin.orders, { orders: [], nextCursor: null }));
export const Gone = story('9'.repeat(32));
export const Loading = story(HARBOUR_ID, ({ api }) => void api.hang(at.support.userDetail));
export const Failed = story(HARBOUR_ID, ({ api }) => void api.fail(at.support.userDetail, offline()));
export const PartsFailed = story(
  HARBOUR_ID,
  ({ api }) => void api.fail(at.admin.network, offline()).fail(at.admin.ledger, offline()),
);

export const ClearPanel = act('clear');
export const SharePanel = act('share');
export const EndPanel = act('end');
export const SignInTooOld: StoryObj = {
  ...act('admin', ({ api }) => {
    api.fail(at.support.changeUser, problem(403, 'Please sign in again', 'sign-in-too-old'));
  }),
  play: async ({ canvas }) => {
    const panel = within(await canvas.findByTestId('confirm'));
    await userEvent.type(panel.getByLabelText('Reason, recorded in Audit'), 'Joins the team{Enter}');
    await expect(await panel.findByRole('link', { name: 'Sign in again' })).toBeVisible();
  },
};
