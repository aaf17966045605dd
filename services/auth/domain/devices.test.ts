import { describe, expect, it } from 'vitest';
import { afterSignIn } from './devices.js';

const signIn = (device: string, sessionId = 's') => ({ sessionId, device, openedAtMs: 7 });

describe('a sign-in', () => {
  it.each([
    ['of a device that is known', ['Firefox on Linux', 'Edge on Windows'], undefined],
    ['of another device', ['Edge on Windows'], [signIn('Firefox on Linux')]],
  ])('%s stores the device once, as new only if it was unknown', (_what, devices, opened) => {
    const after = afterSignIn({ devices }, signIn('Firefox on Linux'));
    expect(after.devices.at(-1)).toBe('Firefox on Linux');
    expect(new Set(after.devices).size).toBe(after.devices.length);
    expect(after.opened).toEqual(opened);
  });

  it('keeps the last three new devices, and drops the least recently used device', () => {
    const systems = Array.from({ length: 20 }, (_, n) => `Firefox on ${n}`);
    const after: ReturnType<typeof afterSignIn> = { devices: ['Edge on Windows'] };
    for (const device of systems) Object.assign(after, afterSignIn(after, signIn(device, device)));
    expect(after.devices).toEqual(systems.slice(4));
    expect(after.opened?.map(({ sessionId }) => sessionId)).toEqual(systems.slice(17));
  });
});
