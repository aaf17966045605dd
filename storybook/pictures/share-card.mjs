// Draws the card of an invitation as notices does, for the README. Run after a change of the card, on built services
// (node infra/build/build.mjs --node): node storybook/pictures/share-card.mjs
import { writeFileSync } from 'node:fs';
import { drawCard } from '../../services/notices/dist/cards/draw.js';

const adds = { base: 5, age: 13, epoch: 2 };
const card = { kind: 'invite', scheme: 'light', name: 'Mara Okafor', code: 'K7M2QX9D', adds };
writeFileSync(new URL('share-card.png', import.meta.url), await drawCard(card));
