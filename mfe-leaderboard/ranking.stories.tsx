import { Card } from '@cord/ui';
import { expect } from 'storybook/test';
import type { StoryObj } from 'storybook-react-rsbuild';
import { type Miner, Podium } from './podium';
import { type RankedMiner, RankRow, RankTable, StickyRow } from './rank-row';

export default { title: 'Rankings/Podium and rows' };

const miner = (rank: number, name: string, earned: number, extra: Partial<RankedMiner> = {}): RankedMiner => ({
  key: name,
  name,
  rank,
  earned,
  accountAge: 5.4,
  multiplier: 5,
  ...extra,
});
const first: Miner[] = [
  miner(1, 'halvard', 312480.12, { honor: true, mining: true }),
  miner(2, 'Priya N.', 287914.4, { mining: true }),
  miner(3, 'old_lantern', 261003.77, { honor: true }),
];
const podium = () => (
  <Card padding="none">
    <Podium miners={first} label="First three" />
  </Card>
);
export const FirstThree: StoryObj = {
  render: podium,
  play: async ({ canvas }) => {
    // The DOM order is 1 2 3, the visual order 2 1 3.
    const places = canvas.getAllByRole('listitem');
    await expect(places[0]).toHaveTextContent('halvard');
    const left = (index: number) => places[index]?.getBoundingClientRect().left ?? 0;
    await expect(left(1)).toBeLessThan(left(0));
    await expect(left(0)).toBeLessThan(left(2));
  },
};
export const FirstThreeAt320: StoryObj = { render: podium, tags: ['w320'] };

const ranking = () => (
  <Card padding="none">
    <RankTable
      label="Ranking"
      heads={['Rank', 'Miner', 'Account', 'Multiplier', 'CORD earned']}
      foot={
        <StickyRow>
          <RankRow
            miner={miner(37, 'Mara Okafor', 48213.57, { you: true, mining: true, gap: '1,204.08 CORD behind #36' })}
          />
        </StickyRow>
      }
    >
      <RankRow miner={miner(4, 'dusk_harbor', 248119.05, { mining: true })} />
      <RankRow miner={miner(5, 'tomasz.w', 199870.33, { mining: true, honor: true })} />
      <RankRow miner={miner(6, 'the_very_long_discord_name_of_32', 187402.9)} />
      <RankRow miner={miner(10234, 'Zoë Lindqvist', 0, { accountAge: null, multiplier: null })} />
    </RankTable>
  </Card>
);
export const Ranking: StoryObj = { render: ranking };
export const RankingAt320: StoryObj = { render: ranking, tags: ['w320'] };

const HEBREW = 'אבגדה וזחטי כלמנס עפצקר שת אבגדה';
/** A right-to-left name keeps its beginning and is cut at its end. */
export const NamesFromTheRight: StoryObj = {
  render: () => (
    <Card padding="none">
      <Podium miners={[...first.slice(0, 2), miner(3, HEBREW, 261003.77)]} label="First three" />
      <RankTable label="Ranking" heads={['Rank', 'Miner', 'Account', 'Multiplier', 'CORD earned']}>
        <RankRow miner={miner(4, HEBREW, 187402.9)} />
      </RankTable>
    </Card>
  ),
  tags: ['w320'],
  play: async ({ canvas }) => {
    const names = canvas.getAllByText(HEBREW);
    await expect(names).toHaveLength(2);
    for (const name of names) {
      const box = name.closest('.t-cut')?.getBoundingClientRect();
      const beginning = document.createRange();
      beginning.setStart(name.firstChild as Node, 0);
      beginning.setEnd(name.firstChild as Node, 1);
      await expect(beginning.getBoundingClientRect().right).toBeLessThanOrEqual((box?.right ?? 0) + 1);
    }
  },
};
