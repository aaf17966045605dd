import { Part } from '@cord/sdk';
import { useStages } from '../app/use-stages';
import { BalanceCard } from './balance-card';
import { CompensationBanner } from './compensation-banner';
import s from './dashboard.module.css';
import { EpochBanner } from './epoch-banner';
import { QuickStats } from './quick-stats';
import { WelcomeLine } from './welcome-line';

/** The first tab (spec part 2, Dashboard): the shell's own figures and the parts that modules lend. */
export function Dashboard() {
  const stage = useStages();
  return (
    <div className={s.page}>
      <WelcomeLine />
      <CompensationBanner />
      <Part name="wallet/claim-banner" />
      <div className={s.main}>
        <Part name="mining/node-card" />
        <BalanceCard />
      </div>
      {stage > 0 && <QuickStats />}
      {stage > 0 && <EpochBanner />}
      {stage > 1 && (
        <div className={s.cards}>
          <Part name="tasks/tasks-card" />
          <Part name="wallet/badge-card" />
          <Part name="referrals/referral-panel" />
        </div>
      )}
    </div>
  );
}
