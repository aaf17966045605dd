/** Languages besides English: each file holds all texts of shell, sdk and design system by name (shell/sdk/README.md, Texts). */
export const LANGUAGES = {
  de: {
    /** Name in the language itself. */
    name: 'Deutsch',
    /** "complete" in the language itself: the build rejects a language with missing texts (infra/build/translations.ts). */
    complete: 'vollständig',
    load: () => import('./de.json'),
  },
};
