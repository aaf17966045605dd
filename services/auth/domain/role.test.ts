import { describe, expect, it } from 'vitest';
import { type RoleState, roleByAdmin, roleByConfig } from './role.js';

const NONE: RoleState = { isAdmin: false, roleFrom: null };

describe('the admin role and ADMIN_DISCORD_IDS', () => {
  it('is granted with the entry and removed with it', () => {
    const listed = roleByConfig(NONE, true);
    expect(listed).toEqual({ isAdmin: true, roleFrom: 'config', configDenied: false });
    expect(roleByConfig(listed, true)).toEqual(listed);
    expect(roleByConfig(listed, false)).toMatchObject({ isAdmin: false, roleFrom: null });
  });

  it('stays when an admin granted it, listed or not', () => {
    const given = roleByAdmin(true);
    expect(roleByConfig(roleByConfig(given, true), false)).toEqual(given);
  });

  it('stays removed by an admin until an admin grants it again or the id has been off the list', () => {
    const taken = roleByAdmin(false);
    expect(roleByConfig(taken, true)).toMatchObject({ isAdmin: false, configDenied: true });
    expect(roleByConfig(roleByAdmin(true), true)).toMatchObject({ isAdmin: true });
    const out = roleByConfig(taken, false);
    expect(roleByConfig(out, true)).toMatchObject({ isAdmin: true, roleFrom: 'config' });
  });
});
