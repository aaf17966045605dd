import type { Log } from '@cord/kit/log';
import type { Nats } from '@cord/kit/nats';
import { holdsPlace } from '@cord/kit/nats/ordered';
import type { Board } from './domain/board.js';
import { type BoardPlaces, type Following, followStreams } from './events.js';
import type { LeaderboardStore } from './store.js';

interface Parts {
  nats: Nats;
  board: Board;
  store: LeaderboardStore;
  log: Log;
  onShown?: (creditedAtMs: number) => void;
}

/**
 * Fills the board and keeps it in step (services/README.md#events; services/contracts/rules/README.md#rankings): the snapshot, and from its places on the
 * streams, which hold the last state of everybody. A snapshot of which a stream was made anew, or has lost its end, is not
 * believed, and one that cannot be read ends no start: then the streams have it all. Resolves when the board is whole.
 */
export async function rebuild({ nats, board, store, log, onShown }: Parts): Promise<Following> {
  const known = await store.snapshotPlaces();
  const believed = known !== null && (await allHeld(nats, known));
  if (known && !believed)
    log.warn({ places: known }, 'the snapshot is of streams that are gone; everything is read anew');
  const unreadable = (err: unknown) => {
    log.warn({ err }, 'the snapshot cannot be read; everything is read anew');
    return null;
  };
  return board.fill(async () => {
    const places = believed ? await store.loadSnapshot(board).catch(unreadable) : null;
    const following = followStreams(nats, board, places, onShown);
    await Promise.all(following.parts.map((part) => part.caughtUp));
    return following;
  });
}

async function allHeld(nats: Nats, places: BoardPlaces): Promise<boolean> {
  const held = await Promise.all(Object.entries(places).map(([stream, place]) => holdsPlace(nats, stream, place)));
  return held.every((holds) => holds);
}
