/** Locale of a user who has chosen no language (BCP 47: undetermined): pages follow the browser. */
export const LIKE_BROWSER = 'und';
