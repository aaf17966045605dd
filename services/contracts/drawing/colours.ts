/** Design-system colours for pictures that no browser draws. A test checks that they match tokens.css. */
export type Scheme = 'light' | 'dark';

type Token =
  | 'bg'
  | 'surface'
  | 'edge'
  | 'text'
  | 'text-2'
  | 'text-3'
  | 'accent'
  | 'live'
  | 'y-base'
  | 'y-age'
  | 'y-epoch'
  | 'y-badge'
  | 'y-gap';

export const TOKENS: Readonly<Record<Token, Readonly<Record<Scheme, string>>>> = {
  bg: { light: '#f2f5f1', dark: '#0a100e' },
  surface: { light: '#ffffff', dark: '#111916' },
  edge: { light: '#74857c', dark: '#6f837a' },
  text: { light: '#12201a', dark: '#edf2ee' },
  'text-2': { light: '#42524a', dark: '#b5c2bb' },
  'text-3': { light: '#586860', dark: '#92a39b' },
  accent: { light: '#1c4b3c', dark: '#f2ce86' },
  live: { light: '#08744a', dark: '#71ddab' },
  'y-base': { light: '#d8cbaa', dark: '#dad3c1' },
  'y-age': { light: '#dfa43a', dark: '#e5b455' },
  'y-epoch': { light: '#2b7fcc', dark: '#6fb6f7' },
  'y-badge': { light: '#c2487f', dark: '#f07fae' },
  'y-gap': { light: '#4a3a12', dark: '#1a1408' },
};

/** Share of a strand's colour at its rims, percent. */
export const RIM_SHARE: Readonly<Record<Scheme, number>> = { light: 68, dark: 30 };

/** The colours mixed in at the rims. */
export const RIMS: Readonly<Record<'base' | 'age' | 'epoch' | 'badge', Readonly<Record<Scheme, string>>>> = {
  base: { light: '#3c2a08', dark: '#0a0803' },
  age: { light: '#3c2a08', dark: '#0a0803' },
  epoch: { light: '#08213c', dark: '#03080d' },
  badge: { light: '#3c0821', dark: '#0d0308' },
};

/** Returns a strand's rim colour, as `color-mix(in srgb, …)` computes it. */
export function rimColour(strand: keyof typeof RIMS, scheme: Scheme): string {
  const share = RIM_SHARE[scheme] / 100;
  const [of, rest] = [channels(TOKENS[`y-${strand}`][scheme]), channels(RIMS[strand][scheme])];
  const mixed = of.map((channel, index) => Math.round(channel * share + (rest[index] ?? 0) * (1 - share)));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function channels(hex: string): number[] {
  return [1, 3, 5].map((from) => Number.parseInt(hex.slice(from, from + 2), 16));
}
