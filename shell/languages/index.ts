/** The languages besides English, each a folder with a file for each of the shell's texts. A module brings its own (shell/sdk, Texts). */
export const LANGUAGES = { de: () => import('./de') };
