// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { keepInstallOffer } from './early-events';
import { install, installOffer, listenToInstallOffers } from './install';

test('an install offer of the browser is kept for the user, can be used once, and disappears once installed', async () => {
  keepInstallOffer();
  const end = listenToInstallOffers();
  const offer = () => {
    const prompt = vi.fn(async () => undefined);
    const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt });
    dispatchEvent(event);
    return { event, prompt };
  };
  expect(installOffer.get()).toBeNull();
  const { event, prompt } = offer();
  expect([event.defaultPrevented, installOffer.get()]).toEqual([true, event]);
  await install();
  expect([prompt.mock.calls.length, installOffer.get()]).toEqual([1, null]);
  await install();
  expect(prompt).toHaveBeenCalledTimes(1);
  offer();
  dispatchEvent(new Event('appinstalled'));
  expect(installOffer.get()).toBeNull();
  end();
  // An offer made while Settings were closed is there when they open.
  const { event: late } = offer();
  expect(installOffer.get()).toBeNull();
  listenToInstallOffers()();
  expect(installOffer.get()).toBe(late);
  await install();
});
