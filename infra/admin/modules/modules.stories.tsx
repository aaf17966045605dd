import { at, offline, storyOf, type TestSdk } from '@cord/sdk/testing';
import type { StoryObj } from 'storybook-react-rsbuild';
import { Room } from '../room/room';
import { IN_ROOM } from '../room/room.meta';
import { modulesSdk, PUBLISHED, sampleLine, samplePublished, sampleSwitches, TASKS } from './modules.fixtures';

export default { ...IN_ROOM, title: 'Operators/Modules and switches' };

function story(module: string | null = null, prepare?: (sdk: TestSdk) => void): StoryObj {
  return storyOf(Room, () => modulesSdk(module), prepare);
}
const doing = (act: string) => (sdk: TestSdk) => sdk.tabs.setParam('admin', 'doing', act);

const LONGEST = `mfe_${'w'.repeat(40)}`;

export const Shell = story();
export const WithCanary = story(TASKS.name);
export const FrozenModule = story('mfe_wallet');
export const RollingBack = story(TASKS.name, doing(`rollback ${TASKS.name} ${sampleLine(1).version}`));
export const BeginningACanary = story('mfe_wallet', doing(`canary mfe_wallet ${sampleLine(1).version}`));
export const SwitchingOff = story(null, doing('off claims'));
export const SwitchedOff = story('mfe_mining', ({ api }) => {
  api.on(at.switches.switches, {
    switches: sampleSwitches([
      { name: 'claims', by: 'a'.repeat(32), byName: 'ines.ops' },
      // Whose account is gone.
      { name: 'orders', by: 'b'.repeat(32), byName: null },
      { name: 'module.mfe_mining', why: 'The page throws' },
    ]),
  });
});
export const Nothing = story(null, ({ api }) => void api.on(at.releases.releases, { published: [], unreadable: [] }));
export const Unreadable = story(
  null,
  ({ api }) => void api.on(at.releases.releases, { published: [...PUBLISHED], unreadable: ['mfe_referrals'] }),
);
export const Longest = story(LONGEST, ({ api }) => {
  const journal = [sampleLine(1, { who: LONGEST, why: 'W'.repeat(200) })];
  api.on(at.releases.releases, { published: [samplePublished(LONGEST, { journal, size: null })], unreadable: [] });
});
export const Loading = story(null, ({ api }) => void api.hang(at.releases.releases).hang(at.switches.switches));
export const Failed = story(
  null,
  ({ api }) => void api.fail(at.releases.releases, offline()).fail(at.switches.switches, offline()),
);
