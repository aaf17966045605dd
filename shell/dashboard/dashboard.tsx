import { useTexts } from '@cord/sdk';
import { Area, QuietArea } from '../app/area';
import { LaterPlace } from '../parts/later-place';
import { Place } from '../parts/place';
import { BalanceCard } from './balance-card';
import { CompensationBanner } from './compensation-banner';
import s from './dashboard.module.css';
import { EpochBanner } from './epoch-banner';
import { Meanwhile } from './meanwhile';
import { QuickStats } from './quick-stats';
import { DASHBOARD_TEXTS } from './texts';
import { WelcomeLine } from './welcome-line';

/** The first tab (spec part 2, Dashboard): the shell's own figures and the parts that modules lend. */
export function Dashboard() {
  const t = useTexts(DASHBOARD_TEXTS);
  return (
    <div className={s.page}>
      <Area card part="dashboard/welcome" name={t.welcomeName}>
        <WelcomeLine />
      </Area>
      <QuietArea part="dashboard/away">
        <Meanwhile />
      </QuietArea>
      <Area card part="dashboard/compensation" name={t.compensationName}>
        <CompensationBanner />
      </Area>
      <Place name="dashboard.top" />
      <div className={s.main}>
        <Place name="dashboard.main" main={{ room: 'ring-card', name: t.cards }} />
        <Area card part="dashboard/balance" name={t.balance}>
          <BalanceCard />
        </Area>
      </div>
      <Area card part="dashboard/figures" name={t.figures}>
        <QuickStats />
      </Area>
      <Area card part="dashboard/epoch" name={t.epoch}>
        <EpochBanner />
      </Area>
      <LaterPlace name="dashboard.cards" className={s.cards} />
    </div>
  );
}
