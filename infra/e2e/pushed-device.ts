import type { Worker } from 'playwright-core';
import type { Visitor } from './browser.js';

/** What stands on a device's own screen. */
interface Shown {
  title: string;
  body: string;
  /** Its buttons. */
  actions: string[];
}

/** A person's device that is pushed to: its push service is a test's, the worker that it wakes is the app's own. */
export interface Device {
  /** What came for it reaches the worker, by DevTools. */
  gets(data: object): Promise<void>;
  shown(): Promise<Shown[]>;
  /** A press on the n-th that was shown, from 0; on a button of it, or on itself. */
  presses(n: number, action: string): Promise<void>;
}

/**
 * Makes a browser one that can be pushed to: headless Chromium has neither a push service nor a screen for notifications. To be called
 * before its first page.
 */
export async function device({ context, page }: Visitor, origin: string, subscription: object): Promise<Device> {
  await context.grantPermissions(['notifications'], { origin });
  await page.addInitScript(`{
    const subscription = {
      endpoint: ${JSON.stringify((subscription as { endpoint: string }).endpoint)},
      toJSON: () => (${JSON.stringify(subscription)}),
      unsubscribe: async () => { localStorage.removeItem('test.pushed'); return true; },
    };
    PushManager.prototype.getSubscription = async () => localStorage.getItem('test.pushed') ? subscription : null;
    PushManager.prototype.subscribe = async () => { localStorage.setItem('test.pushed', 'yes'); return subscription; };
  }`);
  const devtools = await context.newCDPSession(page);
  const registration = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      if (own) resolve(own.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');

  const worker = async (): Promise<Worker> => {
    const found = context.serviceWorkers().find((one) => one.url().startsWith(origin));
    const there = found ?? (await context.waitForEvent('serviceworker'));
    await there.evaluate(SCREEN);
    return there;
  };
  return {
    async gets(data) {
      await worker();
      const registrationId = await registration;
      await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(data) });
    },
    shown: async () => (await worker()).evaluate('self.shown.map(({ data, ...shown }) => shown)'),
    async presses(n, action) {
      await (await worker()).evaluate(`{
        const event = new Event('notificationclick');
        const notification = { data: self.shown[${n}].data, close: () => undefined };
        const waitUntil = (work) => work.catch(() => undefined);
        self.dispatchEvent(Object.assign(event, { action: ${JSON.stringify(action)}, notification, waitUntil }));
      }`);
    },
  };
}

/** What the worker shows is kept, since there is no screen. Nothing is lost of what it has. */
const SCREEN = `if (!self.shown) {
  self.shown = [];
  self.registration.showNotification = async (title, { body, actions, data }) =>
    void self.shown.push({ title, body, actions: actions.map((one) => one.title), data });
}`;
