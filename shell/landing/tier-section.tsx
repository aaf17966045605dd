import { rateNano, rateToNumber } from '@cord/contracts/rules/rate';
import { TIERS } from '@cord/contracts/rules/tiers';
import { formatDate, useCurrentEpoch, useTexts } from '@cord/sdk';
import { CordLine, cordThickness, formatMultiplier, formatRate } from '@cord/ui';
import { epochName } from '../session/epoch-name';
import { LANDING_TEXTS } from './texts';
import s from './tier-section.module.css';

/** The tier table: multiplier and rate by account age, the cord as thick as the multiplier. */
export function TierSection() {
  const t = useTexts(LANDING_TEXTS);
  return (
    <section id="how-it-works" className={s.section}>
      <div>
        <h2 className="t-h1">{t.tiersTitle}</h2>
        <p className={s.intro}>{t.tiersIntro}</p>
        <Facts />
      </div>
      <table className={s.table}>
        <thead>
          <tr>
            <th scope="col">{t.accountAge}</th>
            <td />
            <th scope="col">{t.multiplier}</th>
            <th scope="col">{t.rate}</th>
          </tr>
        </thead>
        <tbody>
          {TIERS.map(({ fromYears, hundredths }) => {
            const multiplier = Number(hundredths) / 100;
            const rate = rateToNumber(
              rateNano({ tierHundredths: hundredths, antiCheatHundredths: 100n, badge: false, epochHundredths: 100n }),
            );
            return (
              <tr key={fromYears}>
                <th scope="row">{ageLabel(fromYears)}</th>
                <td className={s.cord}>
                  <CordLine thickness={cordThickness(multiplier)} adds={{ base: 0.5, age: rate - 0.5 }} />
                </td>
                <td className={s.multiplier}>{formatMultiplier(multiplier)}</td>
                <td className={s.rate}>{formatRate(rate)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** What else bears on the rate. The epoch's line is there when the server reports which one runs. */
function Facts() {
  const t = useTexts(LANDING_TEXTS);
  const epoch = useCurrentEpoch().data;
  return (
    <dl className={s.facts}>
      <div>
        <dt>{t.recomputed}</dt>
        <dd>{t.everyDay}</dd>
      </div>
      {epoch && (
        <div>
          <dt>{t.epochUntil({ epoch: epochName(epoch.name), day: formatDate(Date.parse(epoch.endDate), false) })}</dt>
          <dd>{formatMultiplier(epoch.rewardsMultiplier)}</dd>
        </div>
      )}
      <div>
        <dt>{t.badge}</dt>
        <dd>{formatMultiplier(1.05)}</dd>
      </div>
    </dl>
  );
}

function ageLabel(fromYears: number): string {
  const t = LANDING_TEXTS.get();
  if (fromYears === 0) return t.tierFirst;
  return fromYears === TIERS.at(-1)?.fromYears ? t.tierLast({ years: fromYears }) : t.tier({ count: fromYears });
}
