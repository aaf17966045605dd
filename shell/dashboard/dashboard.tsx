import { Part } from '@cord/sdk';
import { BalanceCard } from './balance-card';
import { CompensationBanner } from './compensation-banner';
import s from './dashboard.module.css';
import { EpochBanner } from './epoch-banner';
import { QuickStats } from './quick-stats';
import { WelcomeLine } from './welcome-line';

/** The first tab (spec part 2, Dashboard): the shell's own figures and the parts that modules lend. */
export function Dashboard() {
  return (
    <div className={s.page}>
      <WelcomeLine />
      <CompensationBanner />
      <Part name="wallet/claim-banner" />
      <div className={s.main}>
        <Part name="mining/node-card" />
        <BalanceCard />
      </div>
      <QuickStats />
      <EpochBanner />
      <div className={s.cards}>
        <Part name="tasks/tasks-card" />
        <Part name="wallet/badge-card" />
        <Part name="referrals/referral-panel" />
      </div>
    </div>
  );
}
