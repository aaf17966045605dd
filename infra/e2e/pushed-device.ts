import type { Worker } from 'playwright-core';
import type { Visitor } from './browser.js';

/** A notification on the device. */
interface Shown {
  title: string;
  body: string;
  /** Labels of its buttons. */
  actions: string[];
}

/** A user's device for push messages: the push service is a test's, the service worker is the app's own. */
export interface Device {
  /** Delivers a message to the service worker, through DevTools. */
  gets(data: object): Promise<void>;
  shown(): Promise<Shown[]>;
  /** Clicks the n-th notification, from 0: a button of it, or itself. */
  presses(n: number, action: string): Promise<void>;
}

/**
 * Adds push to a browser: headless Chromium has neither a push service nor a screen for notifications. Call it before
 * the first page.
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

/** Records the notifications of the service worker, with all their data. */
const SCREEN = `if (!self.shown) {
  self.shown = [];
  self.registration.showNotification = async (title, { body, actions, data }) =>
    void self.shown.push({ title, body, actions: actions.map((one) => one.title), data });
}`;
