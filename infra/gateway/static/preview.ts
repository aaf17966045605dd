import { cardLanguage, inviteCardPath, LANGUAGE_PARAM, rankCardPath, sharedLink } from '@cord/contracts/drawing/card';
import { CARD_TEXTS } from '@cord/contracts/drawing/card-texts';
import { isReferralCode, normaliseCode } from '@cord/contracts/rules/codes';

/** The preview of a shared link, in place of the site's own. */
interface Preview {
  title: string;
  description: string;
  page: string;
  /** Path below the origin. */
  image: string;
  /** Text alternative of the picture. */
  alt: string;
}

const MINER = /^[0-9a-f]{32}$/;

/**
 * Returns the preview of an invitation or a miner's page; null for any other page. No service is called: any address of the right shape
 * has a card, so the page does not reveal whether a code or miner exists. The link includes the language in which it was shared.
 */
function previewOf(query: URLSearchParams, origin: string): Preview | null {
  const language = cardLanguage(query.get(LANGUAGE_PARAM));
  const t = CARD_TEXTS[language];
  const code = normaliseCode(query.get('ref') ?? '');
  if (isReferralCode(code)) {
    const { invitation, claim, bonus } = t;
    const alt = `${invitation}. ${claim} ${t.code} ${code}. ${bonus}`;
    return {
      title: invitation,
      description: `${claim} ${bonus}`,
      page: sharedLink(`${origin}/?ref=${code}`, language),
      image: inviteCardPath(code, language),
      alt,
    };
  }
  const miner = query.get('tab') === 'leaderboard' ? (query.get('miner') ?? '') : '';
  if (!MINER.test(miner)) return null;
  const { miner: title, claim, rank } = t;
  const page = sharedLink(`${origin}/?tab=leaderboard&miner=${miner}`, language);
  return {
    title,
    description: claim,
    page,
    image: rankCardPath(miner, language),
    alt: `${title}. ${rank['all-time']}.`,
  };
}

/** Returns the page with the preview tags of the followed link; unchanged if it is no shared link. */
export function withPreview(html: string, query: URLSearchParams, origin: string): string {
  const preview = previewOf(query, origin);
  if (!preview) return html;
  const tags = {
    title: preview.title,
    description: preview.description,
    url: preview.page,
    image: origin + preview.image,
    'image:alt': preview.alt,
  };
  return Object.entries(tags).reduce(
    (page, [name, text]) =>
      page.replace(
        new RegExp(`(<meta property="og:${name}" content=")[^"]*"`),
        (_, meta: string) => `${meta}${escaped(text)}"`,
      ),
    html,
  );
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
