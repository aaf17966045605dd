import { CARD_LANGUAGES, type CardLanguage } from '@cord/contracts/drawing/card';
import { type Scheme, TOKENS } from '@cord/contracts/drawing/colours';
import { isReferralCode } from '@cord/contracts/rules/codes';
import { PERIODS } from '@cord/contracts/rules/days';
import type { Http } from '@cord/kit/http';
import { badInput, notFound } from '@cord/kit/problem';
import type { Context } from 'koa';
import type { Card } from '../cards/card.js';
import type { CardFacts } from '../cards/facts.js';
import type { Gallery } from '../cards/gallery.js';

const SCHEMES = Object.keys(TOKENS.bg) as Scheme[];
const ID = /^[0-9a-f]{32}$/;

const noCard = () => notFound('no-card', 'Card not found');

/** `GET /share/<code>.png` and `/share/rank/<userId>.png?period=`, both with `?theme=dark` and `?lang=de`: the pictures of shared links. */
export function cardRoutes(http: Http, facts: CardFacts, gallery: Gallery): void {
  const shown = { method: 'GET', rateClass: 'picture' } as const;
  http.raw({ id: 'share.invite', path: '/share/:file', ...shown }, async (ctx) => {
    const { theme, lang } = queryOf(ctx, { theme: SCHEMES, lang: CARD_LANGUAGES });
    const code = fileOf(ctx);
    await show(ctx, isReferralCode(code) ? await facts.ofInvite(code) : null, { scheme: theme, language: lang });
  });
  http.raw({ id: 'share.rank', path: '/share/rank/:file', ...shown }, async (ctx) => {
    const { theme, lang, period } = queryOf(ctx, { theme: SCHEMES, lang: CARD_LANGUAGES, period: PERIODS });
    const userId = fileOf(ctx);
    const of = ID.test(userId) ? await facts.ofRank(userId, period) : null;
    await show(ctx, of, { scheme: theme, language: lang });
  });

  /** Responds with a card whose person was just looked up: an erased user's card is never shown from the cache. */
  async function show(
    ctx: Context,
    of: Awaited<ReturnType<CardFacts['ofInvite' | 'ofRank']>>,
    how: { scheme: Scheme; language: CardLanguage },
  ) {
    if (!of) throw noCard();
    const card: Card = { ...of, ...how };
    const known = gallery.isKnown(card, ctx.get('if-none-match'));
    const { etag, freshS } = known ?? (await pictureInto(ctx, card));
    ctx.set({ ETag: etag, 'Cache-Control': `public, max-age=${freshS}` });
    if (known) ctx.status = 304;
  }

  async function pictureInto(ctx: Context, card: Card) {
    const picture = await gallery.pictureOf(card, ctx.state.address ?? '');
    ctx.type = 'image/png';
    ctx.body = picture.png;
    return picture;
  }
}

/** Returns the name before `.png` in the path. @throws Problem 404 for another file */
function fileOf(ctx: Context & { params?: { file?: string } }): string {
  const [, name] = /^([^.]+)\.png$/.exec(ctx.params?.file ?? '') ?? [];
  if (name === undefined) throw noCard();
  return name;
}

/** Returns the query's fields, each with its first allowed value as default. @throws Problem 400 naming the field */
function queryOf<Allowed extends Record<string, readonly string[]>>(
  ctx: Context,
  allowed: Allowed,
): { [Name in keyof Allowed]: Allowed[Name][number] } {
  const unknown = Object.keys(ctx.query).find((name) => !Object.hasOwn(allowed, name));
  if (unknown !== undefined) throw badInput(unknown, 'is not known here');
  const read = Object.entries(allowed).map(([name, values]) => {
    const given = ctx.query[name] ?? values[0];
    if (typeof given !== 'string' || !values.includes(given))
      throw badInput(name, `must be one of ${values.join(', ')}`);
    return [name, given];
  });
  return Object.fromEntries(read);
}
