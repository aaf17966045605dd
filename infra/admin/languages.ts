import { defineTexts as define } from '@cord/sdk';

/** Defines texts of this module. Each language besides English is a file in `languages/` (shell/sdk/README.md, Texts). */
export const defineTexts: typeof define = (name, base) =>
  define(name, base, (code) => import(`./languages/${code}.json`));
