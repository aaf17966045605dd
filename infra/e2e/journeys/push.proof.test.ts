import {
  type PushedBrowser,
  type PushPlace,
  startPushService,
  type TestPushService,
} from '@cord/kit/testing/push-service';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { advance } from '../../test/kit/clock.ts';
import { shot, type Visitor, visitor, widths } from '../browser.js';
import { enter, shown } from '../people.js';
import { type Device, device } from '../pushed-device.js';
import { button, goTo, seen } from '../screens.js';

const origin = inject('origin');
/** Set in a proof only. */
const place = inject('pushPlace');
let service: TestPushService;

beforeAll(async () => {
  if (place === null) return;
  service = await startPushService(place as PushPlace);
});
afterAll(async () => {
  await service?.stop();
});

/** Waits for the n-th push of a browser, from 0. */
async function push(of: PushedBrowser, n: number) {
  await expect.poll(() => of.got.length).toBeGreaterThan(n);
  return of.got[n]?.data ?? {};
}

/** Leaves the app: the browser's only page shows another address. */
const away = ({ page }: Visitor) => page.goto('about:blank');

test.runIf(place !== null).each(widths('phone'))(
  'in nine hours away a push warns and extends the node, and another reports its pause and leads to it (%s)',
  async (width) => {
    const person = await visitor(width);
    const { page } = person;
    const pushed = service.browser();
    const phone: Device = await device(person, origin, pushed.subscription);
    await enter(person, origin);

    await goTo(page, 'settings', width);
    // Not check(): it reads the box at once, but the choice appears with the next render.
    const pushChoice = page.getByRole('radiogroup', { name: 'Node pauses' }).getByRole('radio', { name: 'Push' });
    await pushChoice.click();
    await expect.poll(() => pushChoice.isChecked()).toBe(true);
    await button(page, 'Send a test').click();
    await phone.gets(await push(pushed, 0));
    await expect.poll(phone.shown).toMatchObject([{ title: 'Notifications work on this device' }]);
    await shot(page, `push-settings-${width}`);

    await goTo(page, 'node', width);
    const toggle = page.getByTestId('node-toggle').first();
    await toggle.filter({ hasText: 'Start Mining' }).click();
    await toggle.filter({ hasText: 'Stop Mining' }).waitFor();
    await away(person);
    await advance(origin, '7h5m');
    const warning = await push(pushed, 1);
    expect(warning).toMatchObject({ title: expect.stringMatching(/^Your node pauses at \d\d:\d\d$/), tab: 'node' });
    await phone.gets(warning);
    await expect.poll(phone.shown).toMatchObject([{}, { title: warning.title, actions: ['Extend', 'Open CORD'] }]);
    await phone.presses(1, 'extend');
    await expect
      .poll(phone.shown)
      .toMatchObject([
        {},
        {},
        { title: expect.stringMatching(/^Runs until \d\d:\d\d$/), body: 'Extended. There is nothing else to do.' },
      ]);

    await advance(origin, '9h');
    const paused = await push(pushed, 2);
    expect(paused).toMatchObject({
      title: expect.stringMatching(/^Your node paused at \d\d:\d\d$/),
      about: warning.about,
    });
    expect(paused.extend).toBeUndefined();
    await phone.gets(paused);
    await expect.poll(async () => (await phone.shown()).at(-1)?.title).toBe(paused.title);

    await page.goto(origin);
    await page.getByTestId('tab-dashboard').first().waitFor();
    await expect.poll(() => shown(page, 'notices-unread')).toBe(1);
    await phone.presses(3, '');
    await expect.poll(() => new URL(page.url()).searchParams.get('tab')).toBe('node');
    await seen(page, /^Paused at /);
    await toggle.filter({ hasText: 'Start Mining' }).click();
    await toggle.filter({ hasText: 'Stop Mining' }).waitFor();
    expect(pushed.got).toHaveLength(3);
    await person.leave();
  },
);
