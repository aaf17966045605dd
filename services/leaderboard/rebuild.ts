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
 * Fills the board and keeps it up to date (services/README.md#events; services/contracts/rules/README.md#rankings): it
 * loads the snapshot, then reads the streams from its positions on. The snapshot is ignored if a stream was recreated or
 * lost its end, or if it cannot be read; the streams hold everybody's last state. Resolves when the board is complete.
 */
export async function rebuild({ nats, board, store, log, onShown }: Parts): Promise<Following> {
  const known = await store.snapshotPlaces();
  const isUsable = known !== null && (await areAllPlacesHeld(nats, known));
  if (known && !isUsable)
    log.warn({ places: known }, 'the snapshot does not match the streams; reading them from the start');
  const unreadable = (err: unknown) => {
    log.warn({ err }, 'the snapshot cannot be read; reading the streams from the start');
    return null;
  };
  return board.fill(async () => {
    const places = isUsable ? await store.loadSnapshot(board).catch(unreadable) : null;
    const following = followStreams(nats, board, places, onShown);
    await Promise.all(following.parts.map((part) => part.caughtUp));
    return following;
  });
}

async function areAllPlacesHeld(nats: Nats, places: BoardPlaces): Promise<boolean> {
  const held = await Promise.all(Object.entries(places).map(([stream, place]) => holdsPlace(nats, stream, place)));
  return held.every((holds) => holds);
}
