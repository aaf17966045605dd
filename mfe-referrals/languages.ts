import { defineTexts as define } from '@cord/sdk';

/** Texts of this module. Each language besides English is a file in `languages/` with all texts by name (shell/sdk/README.md, Texts). */
export const defineTexts: typeof define = (name, base) =>
  define(name, base, (code) => import(`./languages/${code}.json`));
