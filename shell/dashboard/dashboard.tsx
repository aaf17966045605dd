import { AreaBoundary, useTabView, useTexts } from '@cord/sdk';
import { Stack } from '@cord/ui';
import { Activity } from 'react';
import { Area } from '../app/area';
import { useRegistryState } from '../federation/registry-context';
import { LaterPlace } from '../parts/later-place';
import { isNamed, Place } from '../parts/place';
import { BalanceCard } from './balance-card';
import s from './dashboard.module.css';
import { EpochBanner } from './epoch-banner';
import { Meanwhile } from './meanwhile';
import { QuickStats } from './quick-stats';
import { RulesAhead } from './rules-ahead';
import { DASHBOARD_TEXTS } from './texts';
import { WelcomeLine } from './welcome-line';

/** The first tab, or a full view of a module in its place: `?tab=dashboard&view=earnings`. */
export function Dashboard() {
  const t = useTexts(DASHBOARD_TEXTS);
  const { value } = useTabView('view');
  const state = useRegistryState();
  const open =
    value !== null &&
    (state.status !== 'known' ||
      state.published.parts.some((part) => part.place === 'dashboard.view' && isNamed(part, value)));
  return (
    <>
      {open && <Place name="dashboard.view" only={value} main={{ room: 'card', name: t.cards }} />}
      <Activity mode={open ? 'hidden' : 'visible'}>
        <Cards />
      </Activity>
    </>
  );
}

/** The dashboard: the shell's own figures and the modules' parts. */
function Cards() {
  const t = useTexts(DASHBOARD_TEXTS);
  return (
    <Stack gap="var(--gap)">
      <Area card part="dashboard/welcome" name={t.welcomeName}>
        <WelcomeLine />
      </Area>
      <AreaBoundary place={{ part: 'dashboard/away' }}>
        <Meanwhile />
      </AreaBoundary>
      <AreaBoundary place={{ part: 'dashboard/rules-ahead' }}>
        <RulesAhead />
      </AreaBoundary>
      <Place name="dashboard.top" />
      <div className={s.main}>
        <Place name="dashboard.main" main={{ room: 'ring-card', name: t.cards }} />
        <Area card part="dashboard/balance" name={t.balance}>
          <BalanceCard />
        </Area>
      </div>
      {/* It loads only when visible, since a phone starts without it. */}
      <LaterPlace name="dashboard.wide" ahead={0} />
      <Area card part="dashboard/figures" name={t.figures}>
        <QuickStats />
      </Area>
      <Area card part="dashboard/epoch" name={t.epoch}>
        <EpochBanner />
      </Area>
      <LaterPlace name="dashboard.cards" className={s.cards} />
    </Stack>
  );
}
