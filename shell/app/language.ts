import { defineTexts, type SafeStorage, type Sdk } from '@cord/sdk';
import { formatLocale, textLanguage, textsReady, translate } from '@cord/sdk/host';
import { setNumberLocale, setUiTexts, UI_TEXTS } from '@cord/ui';
import { LANGUAGES } from '../languages';

/** The design system knows nobody's language; its texts are translated as the shell's own are. */
const UI_WORDS = defineTexts('ui', UI_TEXTS);

/** What the account on this device wants is shown before anybody knows who is signed in; index.html reads it, too. */
const KEPT = 'cord.language';

/** So long the texts of a language are waited for at the most, ms: they come beside the code. Then English stands in their place. */
const WORDS_WITHIN_MS = 2_000;

/**
 * The page, the texts of the design system, the numbers it writes and what the server has written follow the user's language.
 * @returns ends it: what follows belongs to a whole document, and a test shares its document with others
 */
export function followLanguage(
  page: Pick<HTMLElement, 'lang'>,
  storage: SafeStorage,
  { session: { state }, queries }: Pick<Sdk, 'session' | 'queries'>,
): () => void {
  translate(LANGUAGES, storage.getItem(KEPT));
  const ends = [
    UI_WORDS.subscribe(setUiTexts),
    formatLocale.subscribe(setNumberLocale),
    textLanguage.subscribe((code) => {
      page.lang = code;
    }),
    // What was read is in the language of before. A page that is hidden reads it when it is looked at.
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

/** Awaited before anything is shown: whoever reads another language would see English for a moment. Nothing is waited for in English. */
export const textsLoaded = () => textsReady(WORDS_WITHIN_MS);
