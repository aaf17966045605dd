import { defineTexts, type SafeStorage, type Sdk } from '@cord/sdk';
import { formatLocale, textLanguage, textsReady, translate } from '@cord/sdk/host';
import { setNumberLocale, setUiTexts, UI_TEXTS } from '@cord/ui';
import { LANGUAGES } from '../languages';

/** Texts of the design system, translated like the shell's own. */
const UI_TABLE = defineTexts('ui', UI_TEXTS);

/** Storage key of the account's language, used before the session is known; index.html reads it, too. */
const KEPT = 'cord.language';

/** Maximum wait for the texts of a language, which load in parallel with the code, ms; then English is shown. */
const TEXTS_WAIT_MS_MAX = 2_000;

/**
 * Applies the user's language to the page, to the texts and numbers of the design system, and to texts from the server.
 * @returns a function that stops it, since tests share one document
 */
export function followLanguage(
  page: Pick<HTMLElement, 'lang'>,
  storage: SafeStorage,
  { session: { state }, queries }: Pick<Sdk, 'session' | 'queries'>,
): () => void {
  translate(LANGUAGES, storage.getItem(KEPT));
  const ends = [
    UI_TABLE.subscribe(setUiTexts),
    formatLocale.subscribe(setNumberLocale),
    textLanguage.subscribe((code) => {
      page.lang = code;
    }),
    // Cached server texts are in the previous language. A hidden page reads them when it becomes visible.
    textLanguage.listen(
      () => void queries.invalidateQueries({ refetchType: document.visibilityState === 'hidden' ? 'none' : 'active' }),
    ),
    state.listen(() => {
      const { user } = state.get();
      if (user !== null) storage.setItem(KEPT, user.locale);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}

/** Awaited before the first render, so that other languages do not flash English. Immediate in English. */
export const textsLoaded = () => textsReady(TEXTS_WAIT_MS_MAX);
