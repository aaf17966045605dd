/** The languages besides English: each is a file here, with all texts of shell, sdk and design system under their names (shell/sdk/README.md, Texts). */
export const LANGUAGES = {
  de: {
    /** What speakers call it. */
    name: 'Deutsch',
    /** "complete" in itself: a language that lacks a text is not built (infra/build/translations.ts), so that no other share can be true. */
    complete: 'vollständig',
    load: () => import('./de.json'),
  },
};
