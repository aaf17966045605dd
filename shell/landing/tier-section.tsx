import { rateNano, rateToNumber } from '@cord/contracts/rules/rate';
import type { RuleBook } from '@cord/contracts/rules/rule-book';
import { formatDate, multiplierText, useCurrentEpoch, useRuleBook, useTexts } from '@cord/sdk';
import { CordLine, cordThickness, Fact, formatMultiplier, formatRate, Stack } from '@cord/ui';
import { epochName } from '../session/epoch-name';
import { LANDING_TEXTS } from './texts';
import s from './tier-section.module.css';

/** The tier table: multiplier and rate by account age, drawn as a cord of matching thickness. */
export function TierSection() {
  const t = useTexts(LANDING_TEXTS);
  const book = useRuleBook();
  const base = rateToNumber(BigInt(book.baseNano));
  return (
    <section id="how-it-works" className={s.section}>
      <Stack gap={20}>
        <Stack gap={8}>
          <h2 className="t-h1">{t.tiersTitle}</h2>
          <p className="c-2">{t.tiersIntro}</p>
        </Stack>
        <Facts book={book} />
      </Stack>
      <div className={s.scroll}>
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
            {book.tiers.map(({ fromYears, hundredths }) => {
              const multiplier = hundredths / 100;
              const tierHundredths = BigInt(hundredths);
              const rate = rateToNumber(
                rateNano(book, { tierHundredths, antiCheatHundredths: 100n, badge: false, epochHundredths: 100n }),
              );
              return (
                <tr key={fromYears}>
                  <th scope="row">{ageLabel(book, fromYears)}</th>
                  <td className={s.cord}>
                    <CordLine thickness={cordThickness(multiplier)} adds={{ base, age: rate - base }} />
                  </td>
                  <td className="t-600">{formatMultiplier(multiplier)}</td>
                  <td className="c-2">{formatRate(rate)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Other factors of the rate. The epoch's line appears when the server reports one. */
function Facts({ book }: { book: RuleBook }) {
  const t = useTexts(LANDING_TEXTS);
  const epoch = useCurrentEpoch().data;
  return (
    <dl>
      <Fact name={t.recomputed}>{t.continuously}</Fact>
      {epoch && (
        <Fact name={t.epochUntil({ epoch: epochName(epoch.name), day: formatDate(Date.parse(epoch.endDate), false) })}>
          {formatMultiplier(epoch.rewardsMultiplier)}
        </Fact>
      )}
      <Fact name={t.badge}>{multiplierText(book.badgeHundredths)}</Fact>
    </dl>
  );
}

function ageLabel({ tiers }: RuleBook, fromYears: number): string {
  const t = LANDING_TEXTS.get();
  if (fromYears === 0) return t.tierFirst;
  return fromYears === tiers.at(-1)?.fromYears ? t.tierLast({ years: fromYears }) : t.tier({ count: fromYears });
}
