import { describe, expect, it } from 'vitest';
import { type RoleState, roleByAdmin, roleByConfig } from './role.js';

const NONE: RoleState = { isAdmin: false, roleFrom: null };

describe('the role by ADMIN_DISCORD_IDS', () => {
  it('comes with the entry and goes with it', () => {
    const listed = roleByConfig(NONE, true);
    expect(listed).toEqual({ isAdmin: true, roleFrom: 'config', configDenied: false });
    expect(roleByConfig(listed, true)).toEqual(listed);
    expect(roleByConfig(listed, false)).toMatchObject({ isAdmin: false, roleFrom: null });
  });

  it('that an admin gave stays whether listed or not', () => {
    const given = roleByAdmin(true);
    expect(roleByConfig(roleByConfig(given, true), false)).toEqual(given);
  });

  it('that an admin took does not come back by the list, until an admin gives it or the id was out of the list', () => {
    const taken = roleByAdmin(false);
    expect(roleByConfig(taken, true)).toMatchObject({ isAdmin: false, configDenied: true });
    expect(roleByConfig(roleByAdmin(true), true)).toMatchObject({ isAdmin: true });
    const out = roleByConfig(taken, false);
    expect(roleByConfig(out, true)).toMatchObject({ isAdmin: true, roleFrom: 'config' });
  });
});
