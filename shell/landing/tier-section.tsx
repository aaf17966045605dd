import { rateNano, rateToNumber } from '@cord/contracts/rules/rate';
import { TIERS } from '@cord/contracts/rules/tiers';
import { useCurrentEpoch } from '@cord/sdk';
import { CordLine, cordThickness, formatMultiplier, formatRate } from '@cord/ui';
import { formatDate } from '../app/dates';
import { epochName } from '../session/epoch-name';
import { LANDING_TEXTS } from './texts';
import s from './tier-section.module.css';

/** The tier table: multiplier and rate by account age, the cord as thick as the multiplier. */
export function TierSection() {
  return (
    <section id="how-it-works" className={s.section}>
      <div>
        <h2 className={s.title}>{LANDING_TEXTS.tiersTitle}</h2>
        <p className={s.intro}>{LANDING_TEXTS.tiersIntro}</p>
        <Facts />
      </div>
      <table className={s.table}>
        <thead>
          <tr>
            <th scope="col">Account age</th>
            <td />
            <th scope="col">Multiplier</th>
            <th scope="col">CORD / min</th>
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

/** What else bears on the rate. The epoch's line is there when the server says which one runs. */
function Facts() {
  const epoch = useCurrentEpoch().data;
  return (
    <dl className={s.facts}>
      <div>
        <dt>Recomputed</dt>
        <dd>every day</dd>
      </div>
      {epoch && (
        <div>
          <dt>
            {epochName(epoch.name)}, until {formatDate(Date.parse(epoch.endDate), false)}
          </dt>
          <dd>{formatMultiplier(epoch.rewardsMultiplier)}</dd>
        </div>
      )}
      <div>
        <dt>Badge of Honor</dt>
        <dd>{formatMultiplier(1.05)}</dd>
      </div>
    </dl>
  );
}

function ageLabel(fromYears: number): string {
  if (fromYears === 0) return 'under 1 year';
  if (fromYears === TIERS.at(-1)?.fromYears) return `${fromYears} years or more`;
  return fromYears === 1 ? '1 year' : `${fromYears} years`;
}
