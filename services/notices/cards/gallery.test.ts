import { createTestClock } from '@cord/kit/testing/service';
import { expect, test } from 'vitest';
import type { Card } from './card.js';
import { createGallery, GALLERY_BOUNDS } from './gallery.js';

const card = (code: string, name = 'Mara'): Card => ({
  kind: 'invite',
  scheme: 'light',
  language: 'en',
  name,
  code,
  adds: { base: 1 },
});

/** A gallery whose cards are drawn when the test lets it. */
function openGallery(bounds = GALLERY_BOUNDS) {
  const clock = createTestClock(1_000_000);
  const waiting: { code: string; finish(): void; fail(): void }[] = [];
  const draw = ({ ...drawn }: Card) =>
    new Promise<Buffer>((resolve, reject) => {
      const code = drawn.kind === 'invite' ? drawn.code : '';
      waiting.push({ code, finish: () => resolve(Buffer.alloc(100)), fail: () => reject(new Error('no font')) });
    });
  return { clock, waiting, gallery: createGallery({ clock, draw, bounds }) };
}

const begun = async ({ waiting }: ReturnType<typeof openGallery>, count: number) =>
  expect.poll(() => waiting.length).toBe(count);

test('cards are drawn one at a time, equal requests share one, and requests beyond the queue get 503', async () => {
  const open = openGallery({ ...GALLERY_BOUNDS, waitingMax: 1 });
  const { gallery, waiting } = open;
  const first = [gallery.pictureOf(card('A'), 'one'), gallery.pictureOf(card('A'), 'one')];
  const second = gallery.pictureOf(card('B'), 'one');
  await begun(open, 1);
  await expect(gallery.pictureOf(card('C'), 'one')).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '2' },
  });
  waiting[0]?.finish();
  const [one, same] = await Promise.all(first);
  expect(one?.etag).toBe(same?.etag);
  await begun(open, 2);
  waiting[1]?.finish();
  await second;
  expect(waiting.map(({ code }) => code)).toEqual(['A', 'B']);
});

test('one address can use only a few places in the queue, and others continue', async () => {
  const open = openGallery({ ...GALLERY_BOUNDS, waitingOfOneMax: 2 });
  const { gallery, waiting } = open;
  const flood = [gallery.pictureOf(card('A'), 'one'), gallery.pictureOf(card('B'), 'one')];
  await expect(gallery.pictureOf(card('C'), 'one')).rejects.toMatchObject({ status: 503 });
  const other = gallery.pictureOf(card('C'), 'other');
  // What is drawn already is for everybody.
  const shared = gallery.pictureOf(card('A'), 'other');
  for (let n = 0; n < 3; n += 1) {
    await begun(open, n + 1);
    waiting[n]?.finish();
  }
  await Promise.all([...flood, other, shared]);
  expect(waiting.map(({ code }) => code)).toEqual(['A', 'B', 'C']);
});

test('a picture is cached for ten minutes and by its ETag; a change of name draws it again', async () => {
  const open = openGallery();
  const { clock, gallery, waiting } = open;
  const shown = async (of: Card) => {
    const before = waiting.length;
    const picture = gallery.pictureOf(of, 'one');
    await Promise.race([picture, expect.poll(() => waiting.length).toBe(before + 1)]);
    waiting[before]?.finish();
    return picture;
  };
  const { etag, freshS } = await shown(card('A'));
  expect(freshS).toBe(600);
  await clock.advance(599_000);
  const richer = { ...card('A'), adds: { base: 2 } };
  expect(await shown(richer)).toMatchObject({ etag, freshS: 1 });
  expect(gallery.isKnown(richer, `"x", W/${etag}`)).toEqual({ etag, freshS: 1 });
  await clock.advance(1_000);
  expect(gallery.isKnown(richer, etag)).toBeNull();
  expect(gallery.isKnown(card('A'), etag)).toEqual({ etag, freshS: 600 });
  expect((await shown(richer)).etag).not.toBe(etag);
  await shown(card('A', 'Mara O.'));
  expect(waiting).toHaveLength(3);
  expect((await shown({ ...richer, language: 'de' })).etag).not.toBe(etag);
  expect(waiting).toHaveLength(4);
});

test('a failed card is drawn again, and does not block the next one', async () => {
  const open = openGallery();
  const { gallery, waiting } = open;
  const failed = gallery.pictureOf(card('A'), 'one');
  await begun(open, 1);
  waiting[0]?.fail();
  await expect(failed).rejects.toThrow('no font');
  const again = gallery.pictureOf(card('A'), 'one');
  await begun(open, 2);
  waiting[1]?.finish();
  expect((await again).png).toHaveLength(100);
});
