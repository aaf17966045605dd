import { createHash } from 'node:crypto';
import { CARD_KEPT_S } from '@cord/contracts/drawing/card';
import type { Clock } from '@cord/kit/clock';
import { unavailable } from '@cord/kit/problem';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Card } from './card.js';

export const GALLERY_BOUNDS = {
  /** Cards that may wait for the one that is drawn; a further request has to come again. */
  waitingMax: 16,
  /** Of them, those that one address has requested first: the places of the others are for others. */
  waitingOfOneMax: 4,
  retryAfterS: 2,
  /** Of all kept pictures. */
  bytesMax: 16 * 1024 * 1024,
  cardsMax: 1_000,
};

/** A card as it was drawn. */
interface Picture {
  /** Of what it shows: the same facts are the same picture. */
  etag: string;
  png: Buffer;
  /** How much longer it may be shown as it is, s. */
  freshS: number;
}

export type Gallery = ReturnType<typeof createGallery>;

interface Kept {
  etag: string;
  png: Buffer;
  drawnAtMs: number;
}

/** @param draw loaded when the first card is drawn: a service that draws none does not pay for it */
export function createGallery(deps: {
  clock: Pick<Clock, 'now'>;
  draw(card: Card): Promise<Buffer>;
  bounds?: typeof GALLERY_BOUNDS;
}) {
  const { clock, draw, bounds = GALLERY_BOUNDS } = deps;
  const kept = new LRUCache<string, Kept>({
    max: bounds.cardsMax,
    maxSize: bounds.bytesMax,
    sizeCalculation: ({ png }) => png.length,
  });
  const drawing = new Map<string, { address: string; made: Promise<Kept> }>();
  const oneAtATime = pLimit(1);

  const freshS = ({ drawnAtMs }: Kept) => Math.ceil((drawnAtMs - clock.now()) / 1_000) + CARD_KEPT_S;

  /** The kept picture of a subject, unless it is too old, or the name that it shows is not the person's any more. */
  const freshOf = (card: Card): Kept | null => {
    const found = kept.get(subjectOf(card));
    return found && freshS(found) > 0 ? found : null;
  };

  const drawNow = (card: Card, etag: string, address: string): Promise<Kept> => {
    const running = drawing.get(etag);
    if (running) return running.made;
    const ofOne = [...drawing.values()].filter((one) => one.address === address).length;
    if (drawing.size > bounds.waitingMax || ofOne >= bounds.waitingOfOneMax)
      throw unavailable('too-many-cards', 'Too many cards are being drawn. Please try again.', bounds.retryAfterS);
    const made = oneAtATime(async () => ({ etag, png: await draw(card), drawnAtMs: clock.now() }))
      .then((picture) => {
        kept.set(subjectOf(card), picture);
        return picture;
      })
      .finally(() => drawing.delete(etag));
    drawing.set(etag, { address, made });
    return made;
  };

  return {
    /** Whether the bearer of these tags has the card as it is now, or was within the time that it may be shown. */
    isKnown(card: Card, ifNoneMatch: string) {
      const found = freshOf(card);
      const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
      if (found) return tags.includes(found.etag) ? { etag: found.etag, freshS: freshS(found) } : null;
      const etag = etagOf(card);
      return tags.includes(etag) ? { etag, freshS: CARD_KEPT_S } : null;
    },
    /**
     * The card's picture: kept for ten minutes, drawn one at a time.
     * @param address of the caller
     * @throws Problem 503 with Retry-After while too many wait, in all or of that address
     */
    async pictureOf(card: Card, address: string): Promise<Picture> {
      const picture = freshOf(card) ?? (await drawNow(card, etagOf(card), address));
      return { etag: picture.etag, png: picture.png, freshS: Math.max(1, freshS(picture)) };
    },
  };
}

/** Who and what a card is of, in whichever state: who has another name now is drawn anew at once. */
function subjectOf(card: Card): string {
  const of = card.kind === 'invite' ? card.code : [card.userId, card.period];
  return JSON.stringify([card.kind, card.scheme, card.language, of, card.name]);
}

/** Raised when a card is drawn otherwise from the same facts. */
const DRAWN_AS = 2;

function etagOf(card: Card): string {
  const hash = createHash('sha256').update(JSON.stringify([DRAWN_AS, card]));
  return `"${hash.digest('base64url').slice(0, 22)}"`;
}
