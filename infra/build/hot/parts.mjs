/** What a module exposes as `./parts` in a built shell: components that stay, and its actions as they are by now. */
import { placeOf, throwing } from './places.mjs';
import { performReactRefresh } from './runtime.mjs';

const here = new Map();
let failure = null;

/** A part that is asked for; whichever, while nobody can say which there are. */
export const parts = new Proxy(
  {},
  {
    get: (_none, word) => (typeof word === 'string' && (here.has(word) || failure) ? placeFor(word).Shown : undefined),
  },
);
export let actions;

function placeFor(word) {
  const known = here.get(word) ?? placeOf(`The part ${word}`);
  here.set(word, known);
  if (failure) known.show(throwing(failure));
  return known;
}

async function takeNewest() {
  try {
    const newest = await import(/* webpackMode: "eager" */ 'cord-module/parts');
    failure = null;
    for (const [word, part] of Object.entries(newest.parts ?? {})) placeFor(word).show(part);
    actions = newest.actions;
  } catch (error) {
    failure = error;
    for (const word of here.keys()) placeFor(word);
  }
}

await takeNewest();

import.meta.webpackHot.accept('cord-module/parts', () => takeNewest().then(performReactRefresh));
