import { createHash } from 'node:crypto';
import { CARD_KEPT_S } from '@cord/contracts/drawing/card';
import type { Clock } from '@cord/kit/clock';
import { unavailable } from '@cord/kit/problem';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import type { Card } from './card.js';

export const GALLERY_BOUNDS = {
  /** Maximum number of cards that wait while one is drawn; a further request must be retried. */
  waitingMax: 16,
  /** Maximum of them that one address requested first; the rest is for other addresses. */
  waitingOfOneMax: 4,
  retryAfterS: 2,
  /** Maximum size of all cached pictures, bytes. */
  bytesMax: 16 * 1024 * 1024,
  cardsMax: 1_000,
};

/** A drawn card. */
interface Picture {
  /** Hash of the content: equal facts give the same picture. */
  etag: string;
  png: Buffer;
  /** Remaining time for which it may be cached, s. */
  freshS: number;
}

export type Gallery = ReturnType<typeof createGallery>;

interface Kept {
  etag: string;
  png: Buffer;
  drawnAtMs: number;
}

/** @param draw loads its code with the first card: a replica that draws none does not pay for it */
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

  /** Returns the cached picture of a subject, unless it is too old, or shows a former name. */
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
    /** Returns whether the client has the current picture, or a cached one that is still fresh. */
    isKnown(card: Card, ifNoneMatch: string) {
      const found = freshOf(card);
      const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
      if (found) return tags.includes(found.etag) ? { etag: found.etag, freshS: freshS(found) } : null;
      const etag = etagOf(card);
      return tags.includes(etag) ? { etag, freshS: CARD_KEPT_S } : null;
    },
    /**
     * Returns the card's picture: cached for ten minutes, drawn one at a time.
     * @param address of the caller
     * @throws Problem 503 with Retry-After when too many wait, in total or for this address
     */
    async pictureOf(card: Card, address: string): Promise<Picture> {
      const picture = freshOf(card) ?? (await drawNow(card, etagOf(card), address));
      return { etag: picture.etag, png: picture.png, freshS: Math.max(1, freshS(picture)) };
    },
  };
}

/** Key of a card without its figures. It includes the name, so that a new name is drawn at once. */
function subjectOf(card: Card): string {
  const of = card.kind === 'invite' ? card.code : [card.userId, card.period];
  return JSON.stringify([card.kind, card.scheme, card.language, of, card.name]);
}

/** Version of the drawing, to be raised when the same facts are drawn differently. */
const DRAWN_AS = 2;

function etagOf(card: Card): string {
  const hash = createHash('sha256').update(JSON.stringify([DRAWN_AS, card]));
  return `"${hash.digest('base64url').slice(0, 22)}"`;
}
