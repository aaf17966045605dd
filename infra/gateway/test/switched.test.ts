import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GATEWAY_USER, RIGHTS_USER } from '@cord/contracts/events/permissions';
import { actOnReleaseRpc, releasesRpc } from '@cord/contracts/rpc/releases';
import { createLogger } from '@cord/kit/log';
import { connectNats } from '@cord/kit/nats';
import { startAccountsNats } from '@cord/kit/testing/accounts-nats';
import { startCable } from '@cord/kit/testing/cable';
import { forAllTests, stopAfterTest } from '@cord/kit/testing/lifetimes';
import { createSessionSigner } from '@cord/kit/testing/signer';
import { expect, onTestFinished, test } from 'vitest';
import { switchesInFile } from '../switches-kept.js';
import { line, lineFile, MODULE, origin } from './origin.js';

const nats = forAllTests(startAccountsNats);

/** Connects to NATS as one of the system's users. */
const connected = async (user: string) => {
  const one = await connectNats({ NATS_URL: nats.urlFor(user) }, user, createLogger('test', 'silent'));
  onTestFinished(() => one.drain());
  return one;
};
/** Writes a journal line into a gateway's store. */
const publish = ({ folder }: { folder: string }, seq: number, version: string, files = {}) =>
  writeFile(join(folder, 'store', lineFile(seq)), JSON.stringify({ ...JSON.parse(line(version, files)), seq }));
const gateway = async () => await origin({ nats: { NATS_URL: nats.urlFor(GATEWAY_USER) } });

test('a module that is switched off is marked in the registry, which gets another version, until it is on again', async () => {
  const { state } = await createSessionSigner(await connected(RIGHTS_USER));
  const site = await gateway();
  const registry = async () => (await site.call('/remotes.json')).json();
  const before = await registry();
  expect(before.modules.mfe_tasks.off).toBeUndefined();
  await state.setSwitches(['module.mfe_tasks']);
  await expect.poll(async () => (await registry()).modules.mfe_tasks.off).toBe(true);
  expect((await registry()).version).not.toBe(before.version);
  await state.setSwitches(['claims']);
  await expect.poll(registry).toEqual(before);
});

test('a gateway that starts while auth and NATS are away uses the last switches, and then follows new ones', async () => {
  const { state } = await createSessionSigner(await connected(RIGHTS_USER));
  const before = await gateway();
  const offAt = async (site: typeof before) => (await (await site.call('/remotes.json')).json()).modules.mfe_tasks.off;
  await state.setSwitches(['module.mfe_tasks']);
  await expect.poll(() => offAt(before)).toBe(true);
  const moduleStore = join(before.folder, 'store');
  const kept = () => switchesInFile(moduleStore).last()?.off;
  await expect.poll(kept).toEqual(['module.mfe_tasks']);
  before.stop();
  const alone = await origin({ moduleStore });
  expect(await offAt(alone)).toBe(true);
  const after = await origin({ moduleStore, nats: { NATS_URL: nats.urlFor(GATEWAY_USER) } });
  expect(await offAt(after)).toBe(true);
  await state.setSwitches([]);
  await expect.poll(() => offAt(after)).toBeUndefined();
  await expect.poll(kept).toEqual([]);
  expect(await offAt(await origin({ moduleStore }))).toBeUndefined();
});

test('auth lists releases and has an operator’s act executed once, if nothing changed; others are not permitted', async () => {
  await createSessionSigner(await connected(RIGHTS_USER));
  const site = await gateway();
  await publish(site, 1, '1.0.0-a', MODULE);
  await publish(site, 2, '1.0.0-b');
  const auth = await connected('auth');
  const versions = () =>
    auth.request(releasesRpc, {}).then(
      ({ published }) => published[0]?.journal.map(({ version }) => version),
      () => 'nobody answers yet',
    );
  await expect.poll(versions).toEqual(['1.0.0-b', '1.0.0-a']);
  const back = { name: 'mfe_tasks', act: 'rollback', seq: 2, version: null, share: null } as const;
  const author = { who: 'olek', why: 'The page throws' };
  const { published } = await auth.request(actOnReleaseRpc, { ...back, ...author });
  expect(published[0]?.previous).toBeNull();
  expect(published[0]?.journal[0]).toMatchObject({
    ...{ seq: 3, action: 'rollback', version: '1.0.0-a', from: '1.0.0-b', by: 'person' },
    ...author,
  });
  // A client that lost the response sends it again: the act is done once.
  expect((await auth.request(actOnReleaseRpc, { ...back, ...author })).published[0]?.journal).toHaveLength(3);
  const other = { ...author, who: 'ines' };
  await expect(auth.request(actOnReleaseRpc, { ...back, ...other })).rejects.toMatchObject({ type: 'release-changed' });
  const promote = { ...back, ...author, act: 'promote', seq: 3 } as const;
  await expect(auth.request(actOnReleaseRpc, promote)).rejects.toMatchObject({ status: 422, type: 'release-refused' });
  expect(await versions()).toEqual(['1.0.0-a', '1.0.0-b', '1.0.0-a']);
  await writeFile(join(site.folder, 'store', lineFile(4)), '{');
  expect(await auth.request(releasesRpc, {})).toEqual({ published: [], unreadable: ['mfe_tasks'] });
  const tasks = await connected('tasks');
  await expect(tasks.request(releasesRpc, {})).rejects.toThrow(/permission/i);
});

test('a gateway that is cut off from NATS does not block requests for the releases', async () => {
  const { state } = await createSessionSigner(await connected(RIGHTS_USER));
  const site = await gateway();
  await publish(site, 1, '1.0.0-a', MODULE);
  const moduleStore = join(site.folder, 'store');
  const auth = await connected('auth');
  const request = async () => (await auth.request(releasesRpc, {}, { timeoutMs: 15_000 })).published[0]?.name;
  await expect.poll(() => request().catch(() => 'nobody answers yet')).toBe('mfe_tasks');
  const cable = stopAfterTest(await startCable(nats.urlFor(GATEWAY_USER)));
  const behind = await origin({ moduleStore, nats: { NATS_URL: cable.url } });
  await state.setSwitches(['module.mfe_tasks']);
  await expect.poll(async () => (await (await behind.call('/remotes.json')).json()).modules.mfe_tasks.off).toBe(true);
  cable.cut();
  for (let n = 0; n < 8; n += 1) expect(await request()).toBe('mfe_tasks');
  cable.mend();
});
