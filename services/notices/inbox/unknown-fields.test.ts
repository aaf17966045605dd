import { randomId } from '@cord/kit/testing/index';
import { forAllTests } from '@cord/kit/testing/lifetimes';
import { writeAsNewer } from '@cord/kit/testing/unknown-fields';
import { expect, test } from 'vitest';
import { checkIn, DAY, EVENING, epoch, HOUR, openInboxWorld, paused } from '../test/inbox-world.js';

const world = forAllTests(() => openInboxWorld());

test('unknown fields of a newer release survive every update of their document', async () => {
  const [reads, warned] = [randomId(), randomId()];
  const { receive, reading, stored } = world;
  const gamma = (hundredths: number) => epoch('Gamma', EVENING + 4 * HOUR, hundredths);
  await receive.epochs(5, [gamma(120)]);
  for (const userId of [reads, warned]) {
    await receive.checkIn(userId, checkIn('2026-11-26', 18));
    await receive.paused(userId, paused(EVENING - 2 * HOUR));
  }
  await reading.read(reads, EVENING);
  const newer = await writeAsNewer(stored, 'notices', {
    pass: async () => undefined,
  });
  expect(newer.collections).toEqual(['epochs', 'notices', 'people']);

  await receive.epochs(9, [gamma(130), epoch('Delta', EVENING + DAY / 2)]);
  await receive.checkIn(reads, checkIn('2026-11-27', 19));
  await world.clock.advance(HOUR);
  await world.sweep();
  for (const userId of [reads, warned]) await reading.read(userId, world.clock.now());
  expect(await world.titles(warned)).toContain('Your streak ends in 2 h');
  expect(await newer.lost()).toEqual([]);
  expect(await newer.changed()).toEqual(['epochs', 'notices', 'people']);
});
