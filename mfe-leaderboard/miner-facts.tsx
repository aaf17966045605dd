import { cardLanguage, rankCardPath, sharedLink } from '@cord/contracts/drawing/card';
import type { PublicUser } from '@cord/contracts/http/users';
import { DAY_MS, dayStartMs } from '@cord/contracts/rules/days';
import { tierHundredths, YEAR_MS } from '@cord/contracts/rules/tiers';
import { formatDate, useRuleBook, useSdk, useTexts } from '@cord/sdk';
import { SharedCard } from '@cord/sdk/views';
import {
  Avatar,
  Button,
  Card,
  Cell,
  Cells,
  formatAge,
  formatCord,
  formatMultiplier,
  Row,
  Stack,
  UNKNOWN,
  useCopied,
  VisuallyHidden,
  WhyNumber,
} from '@cord/ui';
import { Check, Image as ImageIcon, Share2, Trophy } from 'lucide-react';
import { useState } from 'react';
import s from './miner-facts.module.css';
import { MinerBadges } from './podium';
import { TEXTS } from './texts';

interface MinerHeadProps {
  person: PublicUser;
  you: boolean;
  /** Address of this page, without the origin. */
  href: string;
  onShow(name: string): void;
}

/** Name and badges of the miner, and actions of the page. */
export function MinerHead({ person, you, href, onShow }: MinerHeadProps) {
  const t = useTexts(TEXTS);
  const [card, setCard] = useState(false);
  const { username: name } = person;
  return (
    <Card className={s.head}>
      <Avatar name={name} src={person.avatar} size={88} />
      <Stack gap={6} className={s.who}>
        <h1 className="t-h1">{name}</h1>
        <MinerBadges you={you} honor={person.hasbadgeofhonor} mining={person.is_node_active === true} />
      </Stack>
      <Row gap={8} wrap className={s.actions}>
        {person.rank !== null && (
          <Button icon={<Trophy />} onClick={() => onShow(name)}>
            {t.showInRankings}
          </Button>
        )}
        <ShareButton text={t.shareText({ name })} href={href}>
          {you ? t.shareYourRank : t.share}
        </ShareButton>
        <Button variant="ghost" icon={<ImageIcon />} aria-expanded={card} onClick={() => setCard(!card)}>
          {card ? t.hideCard : t.showCard}
        </Button>
      </Row>
      {card && (
        <SharedCard
          path={rankCardPath(person.id, cardLanguage(t.cardLanguage))}
          alt={t.cardAlt({ name })}
          file="cord-rank.png"
          download={t.downloadCard}
        />
      )}
    </Card>
  );
}

/** Uses the device's share sheet, or copies the link. */
function ShareButton({ text, href, children }: { text: string; href: string; children: string }) {
  const t = useTexts(TEXTS);
  const { state, copy } = useCopied();
  const copied = state === 'copied';
  const share = () => {
    const url = sharedLink(new URL(href, location.href).href, cardLanguage(t.cardLanguage));
    // Closing the share sheet rejects; that is not a failure.
    if (typeof navigator.share === 'function') navigator.share({ url, text }).catch(() => undefined);
    else void copy(url);
  };
  return (
    <>
      <Button icon={copied ? <Check /> : <Share2 />} onClick={share}>
        {copied ? t.linkCopied : children}
      </Button>
      <VisuallyHidden role="status">{copied ? t.linkCopied : ''}</VisuallyHidden>
    </>
  );
}

const HUNDRED = 100;

/** Total, multiplier, age and join date. */
export function MinerFacts({ person }: { person: PublicUser }) {
  const t = useTexts(TEXTS);
  const { clock } = useSdk();
  const book = useRuleBook();
  const joinedMs = Date.parse(person.join_date);
  const days = Math.max(0, Math.round((dayStartMs(clock.now()) - dayStartMs(joinedMs)) / DAY_MS));
  // The shown age is truncated, so that it never reaches a tier too early.
  const multiplier = Number(tierHundredths(book, person.account_age * YEAR_MS)) / HUNDRED;
  return (
    <Cells columns={4}>
      <Cell
        label={t.totalEarned}
        value={person.total_earned === null ? UNKNOWN : formatCord(person.total_earned)}
        hint={t.totalEarnedHint}
        info={<WhyNumber about={t.totalEarned} formula={t.whyTotal} />}
      />
      <Cell
        label={t.multiplier}
        value={formatMultiplier(multiplier)}
        hint={t.multiplierHint}
        info={<WhyNumber about={t.multiplier} formula={t.whyMultiplier} />}
      />
      <Cell
        label={t.accountAge}
        value={formatAge(person.account_age)}
        hint={t.accountAgeHint}
        info={<WhyNumber about={t.accountAge} formula={t.whyAge} />}
      />
      <Cell
        label={t.joined}
        value={formatDate(joinedMs)}
        hint={days === 0 ? t.joinedToday : t.joinedAgo({ count: days })}
      />
    </Cells>
  );
}
