/** The share cards (the visual language, Share card): pictures of 1200 x 630 that a shared link is shown with. */

/** px. */
export const CARD = { width: 1200, height: 630, safe: 56 } as const;

/** Characters of a name on a card; a longer one ends in an ellipsis. */
export const CARD_NAME_MAX = 22;

/** How long a card may be shown as it was drawn, s. */
export const CARD_KEPT_S = 600;

/** The languages of cards; the first holds where none is requested. */
export const CARD_LANGUAGES = ['en', 'de'] as const;
export type CardLanguage = (typeof CARD_LANGUAGES)[number];

/** Where the card of an invitation is. @param code normalised */
export function inviteCardPath(code: string, language: CardLanguage = 'en'): string {
  return `/share/${code}.png${queryOf(language)}`;
}

/** Where the card of a miner's all-time rank is. @param userId the public id */
export function rankCardPath(userId: string, language: CardLanguage = 'en'): string {
  return `/share/rank/${userId}.png${queryOf(language)}`;
}

/**
 * The same card as a page offers it for download: dark where the page is.
 * @param path of the card
 * @param theme that the user has chosen; the device's holds without it
 */
export function downloadedCardPath(path: string, theme: string | undefined, isDeviceDark: boolean): string {
  const isDark = theme === undefined ? isDeviceDark : theme === 'dark';
  return isDark ? `${path}${path.includes('?') ? '&' : '?'}theme=dark` : path;
}

const queryOf = (language: CardLanguage) => (language === CARD_LANGUAGES[0] ? '' : `?${LANGUAGE_PARAM}=${language}`);

/** By this a link that is shared, and a card, name their language; none is the first. */
export const LANGUAGE_PARAM = 'lang';

/** @param language of the page; the first where cards have none like it */
export const cardLanguage = (language: string | null): CardLanguage =>
  CARD_LANGUAGES.find((each) => each === language) ?? CARD_LANGUAGES[0];

/** A link as it is shared: with its language, so that its preview is in it. @param link whole */
export function sharedLink(link: string, language: CardLanguage): string {
  if (language === CARD_LANGUAGES[0]) return link;
  const url = new URL(link);
  url.searchParams.set(LANGUAGE_PARAM, language);
  return url.href;
}
