// Draws the cards of an invitation and of a rank as notices does, for the README and the catalogue. Run after a change of the card, on built services
// (node infra/build/build.mjs --node): node --import tsx storybook/pictures/share-card.ts
import { writeFileSync } from 'node:fs';

const CARDS = '../../services/notices/dist/cards/draw.js';
const { drawCard }: { drawCard(card: object): Promise<Buffer> } = await import(CARDS);

const adds = { base: 5, age: 13, epoch: 2 };
const person = { scheme: 'light', language: 'en', name: 'Mara Okafor', adds };
const rank = {
  period: 'all-time',
  rank: 31,
  miners: 1302,
  earnedMicro: '63334760000',
  accountAge: 5.4,
  multiplierHundredths: 350,
};
const cards = {
  'share-card.png': { ...person, kind: 'invite', code: 'K7M2QX9D' },
  'rank-card.png': { ...person, ...rank, kind: 'rank', userId: '0'.repeat(32), day: '2026-11-27' },
};
for (const [name, card] of Object.entries(cards)) writeFileSync(new URL(name, import.meta.url), await drawCard(card));
