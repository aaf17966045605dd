import type { Epoch } from '@cord/contracts/http/epochs';
import { useCurrentEpoch, useRate, useServerNow, useTexts } from '@cord/sdk';
import { Card, epochLeftParts, formatMultiplier, formatRate, Row, VisuallyHidden } from '@cord/ui';
import { epochName } from '../session/epoch-name';
import s from './epoch-banner.module.css';
import { DASHBOARD_TEXTS } from './texts';
import { Why } from './why';

/** The epoch in force: its multiplier, which the rate already includes, and its end. */
export function EpochBanner() {
  const t = useTexts(DASHBOARD_TEXTS);
  const epoch = useCurrentEpoch().data;
  const rate = useRate();
  if (!epoch) return null;
  return (
    <Card className={s.banner} aria-label={t.epoch}>
      <Row gap={20} align="center" className={s.epoch}>
        <span className={s.factor}>{formatMultiplier(epoch.rewardsMultiplier)}</span>
        <div>
          <p className={s.label}>
            {t.epoch} <Why about={t.epochFactor} of="epoch" />
          </p>
          <h2 className="t-h2">{epochName(epoch.name)}</h2>
          <p className="c-2">{epoch.description}</p>
        </div>
      </Row>
      <div className={s.cell}>
        <p className={s.label}>
          {t.epochRate} {rate && <Why about={t.epochRate} of="rate" />}
        </p>
        <p>
          <span className={s.number} data-number>
            {formatRate(rate?.perMinute)}
          </span>{' '}
          <span className={s.unit}>{t.rateUnit}</span>
        </p>
      </div>
      <TimeLeft epoch={epoch} />
    </Card>
  );
}

function TimeLeft({ epoch }: { epoch: Epoch }) {
  const t = useTexts(DASHBOARD_TEXTS);
  const now = useServerNow();
  const left = epochLeftParts(Date.parse(epoch.endDate) - now);
  if (left === null) return null;
  const spoken = [
    t.spokenDays({ count: left.d }),
    t.spokenHours({ count: left.h }),
    t.spokenMinutes({ count: left.m }),
  ];
  return (
    <div className={s.cell}>
      <p className={s.label}>{t.timeRemaining}</p>
      <p className={s.left} aria-hidden="true">
        <span className={s.number} data-number>
          {left.d}
        </span>
        {t.days}{' '}
        <span className={s.number} data-number>
          {left.h}
        </span>
        {t.hours}{' '}
        <span className={s.number} data-number>
          {left.m}
        </span>
        {t.minutes}
      </p>
      <VisuallyHidden>{spoken.join(', ')}</VisuallyHidden>
    </div>
  );
}
