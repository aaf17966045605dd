import { type AvatarColours, initials } from '@cord/contracts/drawing/avatar';
import { CARD_TEXTS } from '@cord/contracts/drawing/card-texts';
import { TOKENS } from '@cord/contracts/drawing/colours';
import type { Card, InviteCard, RankCard } from './card.js';
import type { Cut } from './fonts.js';
import { amountText, countText, dayText, factorText } from './numbers.js';
import { DIAL, MARKS } from './ring.js';

/** A box of a layout for satori: an element without React. */
interface Box {
  type: 'div';
  props: { style: Record<string, unknown>; children?: string | Box[] };
}

/** Left edge of the safe area, and width up to the labels of the dial, px. */
const LEFT = 64;
const WIDTH = 580;
/** Largest font sizes, px, that leave room beside the dial, by number of characters. */
const RANK_SIZES = [
  [3, 157],
  [4, 140],
  [6, 112],
  [7, 100],
  [8, 90],
] as const;
const RANK_SIZE_LEAST = 72;

/** Matches names whose first letter is of a right-to-left script. */
const FROM_THE_RIGHT = /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}]/u;

const sizeFor = (text: string) => RANK_SIZES.find(([longest]) => text.length <= longest)?.[1] ?? RANK_SIZE_LEAST;

/** The look of a card's person. */
interface Look {
  /** The fonts of the name's letters. */
  nameFamily: string;
  /** The name's colours, the same as on every page. */
  colours: AvatarColours;
}

/** Lays out the text of a card; the dial is drawn below it. */
export function layoutOf(card: Card, look: Look): Box {
  const draft = new Draft(card, look);
  const own = card.kind === 'invite' ? invitation(draft, card) : ranking(draft, card);
  const brand = draft.at(
    { left: 128, top: 62, fontSize: 34, lineHeight: '36px', letterSpacing: '0.01em' },
    'wide',
    'CORD',
  );
  const marks = MARKS.map(({ text, x, y }) =>
    draft.at(
      { left: x - 20, top: y - 8, width: 40, justifyContent: 'center', fontSize: 13, lineHeight: '16px' },
      'plain',
      text,
      'text-2',
    ),
  );
  return box({ position: 'relative', width: '100%', height: '100%' }, [brand, ...marks, ...own]);
}

function invitation(draft: Draft, { code, name, language }: Card & InviteCard): Box[] {
  const t = CARD_TEXTS[language];
  const who = box({ ...place(LEFT, 152), width: WIDTH, fontSize: 27, lineHeight: '36px' }, [
    draft.name(name, { flexShrink: 1, minWidth: 0 }),
    draft.text({ flexShrink: 0, marginLeft: 8 }, 'plain', t.invites, 'text-2'),
  ]);
  const claim = draft.at(
    {
      left: LEFT,
      top: 208,
      width: 560,
      fontSize: t.claimSize,
      lineHeight: `${t.claimSize + 4}px`,
      letterSpacing: '-0.02em',
    },
    'wide',
    t.claim,
  );
  const edge = { border: `2px solid ${draft.colour('edge')}`, borderRadius: 16, background: draft.colour('surface') };
  const codeBox = box({ ...place(LEFT, 454), ...edge, height: 76, alignItems: 'center', padding: '0 28px' }, [
    draft.text({ fontSize: 24 }, 'plain', t.code, 'text-2'),
    draft.text({ fontSize: 41, marginLeft: 20, letterSpacing: '0.05em' }, 'wide', code),
  ]);
  const bonus = draft.at({ left: LEFT, top: 546, fontSize: 24, lineHeight: '32px' }, 'plain', t.bonus, 'text-2');
  return [who, claim, codeBox, bonus, ...draft.avatar(name, 84, DIAL.y)];
}

function ranking(draft: Draft, card: Card & RankCard): Box[] {
  const t = CARD_TEXTS[card.language];
  const { rank, miners, name } = card;
  const label = draft.at(
    { left: LEFT, top: 178, fontSize: 28, lineHeight: '36px' },
    'plain',
    t.rank[card.period],
    'text-2',
  );
  const written = rank === null ? t.unranked : `#${countText(rank, t)}`;
  const size = sizeFor(written);
  const of = t.miners(miners, countText(miners, t));
  const shown = box({ ...place(LEFT, 232), width: WIDTH, flexWrap: 'wrap', alignItems: 'baseline' }, [
    draft.text({ fontSize: size, lineHeight: 0.9, letterSpacing: '-0.03em', marginRight: 24 }, 'wide', written),
    ...(rank === null ? [] : [draft.text({ fontSize: 34, lineHeight: '48px' }, 'plain', of, 'text-2')]),
  ]);
  const amount = amountText(card.earnedMicro, t);
  const earned = box({ ...place(LEFT, 452), width: WIDTH, alignItems: 'baseline' }, [
    draft.text({ fontSize: amount.length > 12 ? 36 : 46, lineHeight: '56px' }, 'wide', amount),
    draft.text({ fontSize: 28, lineHeight: '46px', marginLeft: 10 }, 'wide', t.earned, 'text-2'),
  ]);
  const facts = draft.at(
    { left: LEFT, top: 514, width: 520, fontSize: 24, lineHeight: '32px' },
    'plain',
    factsText(card),
    'text-2',
  );
  const below = box(
    { ...place(DIAL.x - 125, 368), width: 250, justifyContent: 'center', fontSize: 26, lineHeight: '36px' },
    [draft.name(name, { minWidth: 0 })],
  );
  return [label, shown, earned, facts, ...draft.avatar(name, 64, DIAL.y - 23), below];
}

function factsText({ day, accountAge, multiplierHundredths, language }: Card & RankCard): string {
  const t = CARD_TEXTS[language];
  const years = factorText(accountAge.toFixed(1), t);
  return t.facts(dayText(day, t), accountAge, years, factorText(multiplierHundredths / 100, t));
}

/** Builds the common parts of cards in one scheme, with the letters of one name. */
class Draft {
  readonly #scheme: Card['scheme'];
  readonly #look: Look;

  constructor({ scheme }: Card, look: Look) {
    this.#scheme = scheme;
    this.#look = look;
  }

  colour(token: keyof typeof TOKENS): string {
    return TOKENS[token][this.#scheme];
  }

  text(style: Box['props']['style'], cut: Cut, text: string, token: keyof typeof TOKENS = 'text'): Box {
    return { type: 'div', props: { style: { fontFamily: cut, color: this.colour(token), ...style }, children: text } };
  }

  at(
    { left, top, ...style }: Box['props']['style'] & { left: number; top: number },
    cut: Cut,
    text: string,
    token?: keyof typeof TOKENS,
  ): Box {
    return this.text({ display: 'flex', ...place(left, top), ...style }, cut, text, token);
  }

  /** A name on one line, with an ellipsis at its end when it is too long. */
  name(name: string, style: Box['props']['style']): Box {
    const direction = FROM_THE_RIGHT.test(name) ? 'rtl' : 'ltr';
    const oneLine = { display: 'block', direction, whiteSpace: 'nowrap', overflow: 'hidden', textOverflow: 'ellipsis' };
    const fontFamily = this.#look.nameFamily;
    return {
      type: 'div',
      props: { style: { fontFamily, color: this.colour('text'), ...oneLine, ...style }, children: name },
    };
  }

  avatar(name: string, radius: number, centerY: number): Box[] {
    const { fill, ink } = this.#look.colours;
    const circle = { width: 2 * radius, height: 2 * radius, borderRadius: radius, background: fill };
    const fontFamily = this.#look.nameFamily;
    const letters = { fontFamily, color: ink, fontSize: Math.round(radius * 0.76), lineHeight: 1 };
    return [
      box({ ...place(DIAL.x - radius, centerY - radius), ...circle, alignItems: 'center', justifyContent: 'center' }, [
        { type: 'div', props: { style: letters, children: initials(name) } },
      ]),
    ];
  }
}

function box(style: Box['props']['style'], children: Box[]): Box {
  return { type: 'div', props: { style: { display: 'flex', ...style }, children } };
}

function place(left: number, top: number) {
  return { position: 'absolute', left, top };
}
