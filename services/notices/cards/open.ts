import type { Rules } from '@cord/kit/rules';
import type { Kit } from '@cord/kit/service';
import { cardRoutes } from '../http/cards.js';
import { openEpochs } from '../inbox/epochs.js';
import { createCardFacts } from './facts.js';
import { createGallery } from './gallery.js';

/** Wires the cards: their sources, their cache, their routes. */
export function openCards({ clock, http, nats, store }: Kit, rules: Rules): void {
  const epochs = openEpochs(store);
  const facts = createCardFacts({ nats, clock, rules, epochs: () => epochs.all() });
  // Fonts and renderer take memory: a replica without a request for a card does not load them.
  const draw = async (card: Parameters<typeof import('./draw.js').drawCard>[0]) =>
    (await import('./draw.js')).drawCard(card);
  cardRoutes(http, facts, createGallery({ clock, draw }));
}
