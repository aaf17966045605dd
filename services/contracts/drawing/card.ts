/** The share cards (the visual language, Share card): 1200 x 630 previews of a shared link. */

/** px. */
export const CARD = { width: 1200, height: 630, safe: 56 } as const;

/** Maximum characters of a name on a card; a longer one ends in an ellipsis. */
export const CARD_NAME_MAX = 22;

/** How long a drawn card may be cached, s. */
export const CARD_KEPT_S = 600;

/** Languages of cards; the first is the default. */
export const CARD_LANGUAGES = ['en', 'de'] as const;
export type CardLanguage = (typeof CARD_LANGUAGES)[number];

/** Path of an invitation's card. @param code normalised */
export function inviteCardPath(code: string, language: CardLanguage = 'en'): string {
  return `/share/${code}.png${queryOf(language)}`;
}

/** Path of the card of a miner's all-time rank. @param userId the public id */
export function rankCardPath(userId: string, language: CardLanguage = 'en'): string {
  return `/share/rank/${userId}.png${queryOf(language)}`;
}

/**
 * The path of a card as offered for download: dark when the page is dark.
 * @param path of the card
 * @param theme the user's choice; undefined uses the device's
 */
export function downloadedCardPath(path: string, theme: string | undefined, isDeviceDark: boolean): string {
  const isDark = theme === undefined ? isDeviceDark : theme === 'dark';
  return isDark ? `${path}${path.includes('?') ? '&' : '?'}theme=dark` : path;
}

const queryOf = (language: CardLanguage) => (language === CARD_LANGUAGES[0] ? '' : `?${LANGUAGE_PARAM}=${language}`);

/** Query parameter that names the language of a shared link or card. Absent means the first language. */
export const LANGUAGE_PARAM = 'lang';

/** Returns the card language that matches a page's, or the default. */
export const cardLanguage = (language: string | null): CardLanguage =>
  CARD_LANGUAGES.find((each) => each === language) ?? CARD_LANGUAGES[0];

/** Adds the language to a shared link, so its preview uses it. @param link absolute URL */
export function sharedLink(link: string, language: CardLanguage): string {
  if (language === CARD_LANGUAGES[0]) return link;
  const url = new URL(link);
  url.searchParams.set(LANGUAGE_PARAM, language);
  return url.href;
}
