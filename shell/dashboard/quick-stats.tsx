import { TIERS } from '@cord/contracts/rules/tiers';
import { useMiningSession, useSession } from '@cord/sdk';
import { Cell, Cells, formatAge, formatMultiplier, formatRate } from '@cord/ui';
import { RateWhy } from './rate-why';

/** Rate, multiplier, age, badge (spec part 2, Quick stats). */
export function QuickStats() {
  const { user } = useSession();
  const running = useMiningSession();
  if (user === null) return null;
  return (
    <Cells columns={4} phoneColumns={2}>
      <Cell label="Mining rate" value={formatRate(running?.rate ?? user.rate)} hint="CORD per minute" />
      <Cell
        label="Multiplier"
        value={formatMultiplier(user.multiplier)}
        hint="from account age"
        info={<RateWhy about="Multiplier" />}
      />
      <Cell label="Account age" value={formatAge(user.account_age)} hint={nextTier(user.account_age)} />
      <Cell
        label="Badge status"
        value={user.hasbadgeofhonor ? 'Honor' : 'None'}
        hint={user.hasbadgeofhonor ? 'adds 5%' : 'Honor adds 5%'}
      />
    </Cells>
  );
}

/** How far the next tier is: "×5 in 0.6 years". */
function nextTier(age: number): string {
  const next = TIERS.find(({ fromYears }) => fromYears > age);
  if (next === undefined) return 'the highest tier';
  const years = (next.fromYears * 10 - Math.floor(age * 10 + 1e-6)) / 10;
  return `${formatMultiplier(Number(next.hundredths) / 100)} in ${years === 1 ? '1 year' : `${years.toFixed(1)} years`}`;
}
