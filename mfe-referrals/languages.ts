/** The languages besides English: each a file in `languages/`, with all texts of the module under their names (shell/sdk/README.md, Texts). */
export const LANGUAGES = (code: string) => import(`./languages/${code}.json`);
