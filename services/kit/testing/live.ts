import { NOBODY } from '@cord/contracts/events/envelope';
import { LIVE_DATA, type LiveData } from '@cord/contracts/live/data';
import { LIVE_KINDS, type LiveKind } from '@cord/contracts/live/kinds';
import { liveKindOf, liveSubjectsOf } from '@cord/contracts/live/subjects';
import type { Nats } from '../nats.js';

/** What was told live so far, by kind and in order. */
export type ToldLive = { readonly [K in LiveKind]: LiveData[K][] };

/** Hears from now on what is told live to a user, or to everybody; each is checked by its schema. */
export async function hearTold(nats: Pick<Nats, 'nc'>, userId: string = NOBODY): Promise<ToldLive> {
  const told = Object.fromEntries(LIVE_KINDS.map((kind) => [kind, []])) as unknown as ToldLive;
  nats.nc.subscribe(liveSubjectsOf(userId), {
    callback: (_err, msg) => {
      const kind = liveKindOf(msg.subject) as LiveKind;
      told[kind].push(LIVE_DATA[kind].parse(msg.json()) as never);
    },
  });
  await nats.nc.flush();
  return told;
}
