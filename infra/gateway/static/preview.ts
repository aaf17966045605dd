import { CARD_TEXTS, inviteCardPath, rankCardPath } from '@cord/contracts/drawing/card';
import { isReferralCode, normaliseCode } from '@cord/contracts/rules/codes';

/** What a preview of a shared link shows in place of the site's own. */
interface Preview {
  title: string;
  description: string;
  /** Below the site's address. */
  page: string;
  image: string;
  /** The picture, read aloud. */
  alt: string;
}

const MINER = /^[0-9a-f]{32}$/;

/**
 * The preview of an invitation or a miner's page; null for any other page. Nobody is asked: an address of the right shape names its
 * card, so that the page says of no code and no miner whether there are such.
 */
function previewOf(query: URLSearchParams): Preview | null {
  const code = normaliseCode(query.get('ref') ?? '');
  if (isReferralCode(code)) {
    const { invitation, claim, bonus } = CARD_TEXTS;
    const alt = `${invitation}. ${claim} ${CARD_TEXTS.code} ${code}. ${bonus}`;
    return {
      title: invitation,
      description: `${claim} ${bonus}`,
      page: `/?ref=${code}`,
      image: inviteCardPath(code),
      alt,
    };
  }
  const miner = query.get('tab') === 'leaderboard' ? (query.get('miner') ?? '') : '';
  if (!MINER.test(miner)) return null;
  const { miner: title, claim, rank } = CARD_TEXTS;
  const page = `/?tab=leaderboard&miner=${miner}`;
  return { title, description: claim, page, image: rankCardPath(miner), alt: `${title}. ${rank['all-time']}.` };
}

/** The page with the tags of the link that was followed to it; as it is where that is no link that people share. */
export function withPreview(html: string, query: URLSearchParams, origin: string): string {
  const preview = previewOf(query);
  if (!preview) return html;
  const tags = {
    title: preview.title,
    description: preview.description,
    url: origin + preview.page,
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
