import type { Epoch } from '@cord/contracts/http/rewards';
import { useCurrentEpoch, useMiningSession, useServerNow, useSession } from '@cord/sdk';
import { Card, epochLeftParts, formatMultiplier, formatRate, VisuallyHidden } from '@cord/ui';
import { epochName } from '../session/epoch-name';
import s from './epoch-banner.module.css';
import { RateWhy } from './rate-why';

/** The epoch in force, what it pays, how long it lasts. The rate has it included once (decisions, Epoch banner). */
export function EpochBanner() {
  const epoch = useCurrentEpoch().data;
  const { user } = useSession();
  const running = useMiningSession();
  if (!epoch) return null;
  return (
    <Card className={s.banner} aria-label="Current epoch">
      <div className={s.epoch}>
        <span className={s.factor}>{formatMultiplier(epoch.rewardsMultiplier)}</span>
        <div>
          <p className={s.label}>Current epoch</p>
          <h2 className={s.name}>{epochName(epoch.name)}</h2>
          <p className={s.description}>{epoch.description}</p>
        </div>
      </div>
      <div className={s.cell}>
        <p className={s.label}>
          Your rate, epoch included <RateWhy about="Your rate, epoch included" />
        </p>
        <p>
          <span className={s.number}>{formatRate(running?.rate ?? user?.rate)}</span>{' '}
          <span className={s.unit}>CORD/min</span>
        </p>
      </div>
      <TimeLeft epoch={epoch} />
    </Card>
  );
}

function TimeLeft({ epoch }: { epoch: Epoch }) {
  const now = useServerNow();
  const left = epochLeftParts(Date.parse(epoch.endDate) - now);
  if (left === null) return null;
  return (
    <div className={s.cell}>
      <p className={s.label}>Time remaining</p>
      <p className={s.left} aria-hidden="true">
        <span className={s.number}>{left.d}</span>d <span className={s.number}>{left.h}</span>h{' '}
        <span className={s.number}>{left.m}</span>m
      </p>
      <VisuallyHidden>
        {left.d} days, {left.h} hours, {left.m} minutes
      </VisuallyHidden>
    </div>
  );
}
