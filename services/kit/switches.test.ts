import { RIGHTS_CHANGED } from '@cord/contracts/rpc/rights';
import { beforeAll, describe, expect, it } from 'vitest';
import { followSwitches } from './switches.js';
import { createSwitchesStore } from './switches-store.js';
import { createSigner, type Signer, startTestBackend } from './testing/index.js';
import { forAllTests } from './testing/lifetimes.js';

const backend = forAllTests(() => startTestBackend());
let signer: Signer;
beforeAll(async () => {
  signer = await createSigner(backend.nats);
});

describe('switches', () => {
  it('are on until auth switches them off, in every replica, and on again', async () => {
    const replicas = [await followSwitches(backend.nats), await followSwitches(backend.nats)];
    const claims = () => Promise.all(replicas.map((one) => one.isOn('claims')));
    expect(await claims()).toEqual([true, true]);
    await signer.state.setSwitches(['claims', 'module.mfe_tasks']);
    await expect.poll(claims).toEqual([false, false]);
    expect(await replicas[0]?.isOn('orders')).toBe(true);
    expect(await replicas[0]?.isOn('module.mfe_tasks')).toBe(false);
    await expect(replicas[0]?.requireOn('claims')).rejects.toMatchObject({
      status: 503,
      type: 'switched-off',
      message: expect.stringContaining('breaks no streak'),
      headers: { 'Retry-After': '60' },
    });
    await signer.state.setSwitches([]);
    await expect.poll(claims).toEqual([true, true]);
    await Promise.all(replicas.map((one) => one.stop()));
  });

  it('notify of a change, and only then', async () => {
    const switches = await followSwitches(backend.nats);
    await switches.refresh();
    let changes = 0;
    switches.onChange(() => {
      changes += 1;
    });
    await signer.state.setSwitches(['orders']);
    await expect.poll(() => switches.isOn('orders')).toBe(false);
    await switches.refresh();
    expect(changes).toBe(1);
    await signer.state.setSwitches([]);
    await expect.poll(() => changes).toBe(2);
    await switches.stop();
  });

  it('ignore a forged message, and keep the last response of auth while it is away', async () => {
    const switches = await followSwitches(backend.nats);
    await signer.state.setSwitches(['signups']);
    await expect.poll(() => switches.isOn('signups')).toBe(false);
    await signer.state.stop();
    const forged = { source: 'forged', n: 1, keys: ['switch.all'], off: [] };
    backend.nats.nc.publish(RIGHTS_CHANGED, JSON.stringify(forged));
    await switches.refresh();
    expect(await switches.isOn('signups')).toBe(false);
    // Auth comes back with nothing switched off: its answer now counts.
    await (await createSigner(backend.nats)).state.setSwitches([]);
    await expect.poll(() => switches.isOn('signups')).toBe(true);
    await switches.stop();
  });

  it('start from the last response that the service has stored, while auth is away', async () => {
    const store = await backend.storeOf('kept');
    const spans = [{ name: 'claims', fromMs: 1_790_000_000_000, toMs: null }];
    const auth = await createSigner(backend.nats);
    await auth.state.setSwitches(['claims'], spans);
    const before = await followSwitches(backend.nats, { kept: createSwitchesStore(store) });
    await expect.poll(() => before.isOn('claims')).toBe(false);
    await before.stop();
    await auth.state.stop();
    const after = await followSwitches(backend.nats, { kept: createSwitchesStore(store) });
    expect([await after.isOn('claims'), await after.isOn('orders'), after.spans()]).toEqual([false, true, spans]);
    // Auth comes back with all on: what it answers now counts, here and for the next start.
    await (await createSigner(backend.nats)).state.setSwitches([]);
    await after.refresh();
    expect(await after.isOn('claims')).toBe(true);
    await after.stop();
    expect(await createSwitchesStore(store).read()).toEqual({ off: [], spans: [] });
  });
});
