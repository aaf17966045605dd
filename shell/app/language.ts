import { defineTexts } from '@cord/sdk';
import { formatLocale, textLanguage, translate } from '@cord/sdk/host';
import { ENGLISH_WORDS, setNumberLocale, setWords } from '@cord/ui';
import { LANGUAGES } from '../languages';

/** The design system knows nobody's language; its words are translated as the shell's own are. */
const UI_WORDS = defineTexts('ui', ENGLISH_WORDS);

/** The page, the words of the design system and the numbers it writes follow the user's language. */
export function followLanguage(page: Pick<HTMLElement, 'lang'>): void {
  translate(LANGUAGES);
  UI_WORDS.subscribe(setWords);
  formatLocale.subscribe(setNumberLocale);
  textLanguage.subscribe((code) => {
    page.lang = code;
  });
}
