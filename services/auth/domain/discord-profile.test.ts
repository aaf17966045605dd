import { snowflakeFromMs } from '@cord/contracts/rules/age';
import { describe, expect, it } from 'vitest';
import { InvalidDiscordUser, readDiscordProfile } from './discord-profile.js';

const CREATED_MS = Date.UTC(2018, 4, 13, 10, 20, 30);
const ID = snowflakeFromMs(CREATED_MS, 77n);
const user = { id: ID, username: 'nova', global_name: 'Nova', discriminator: '0', avatar: null };

describe('the profile read from a Discord account', () => {
  it('prefers global_name, omits discriminator "0", and takes the account age from the snowflake', () => {
    expect(readDiscordProfile(user)).toEqual({
      discordId: ID,
      username: 'Nova',
      discriminator: null,
      avatar: null,
      secondFactor: false,
      discordCreatedAtMs: CREATED_MS,
    });
    expect(readDiscordProfile({ ...user, mfa_enabled: true }).secondFactor).toBe(true);
    expect(readDiscordProfile({ ...user, mfa_enabled: 'yes' }).secondFactor).toBe(false);
  });

  it('falls back to the username when global_name is null, and keeps an old discriminator', () => {
    const profile = readDiscordProfile({ ...user, global_name: null, discriminator: '0420' });
    expect(profile).toMatchObject({ username: 'nova', discriminator: '0420' });
  });

  it('accepts only a hash or a small data image as the picture', () => {
    const picture = (avatar: unknown) => readDiscordProfile({ ...user, avatar }).avatar;
    expect(picture('a_1269e74af4df7417b13759eae50c83dc')).toBe('a_1269e74af4df7417b13759eae50c83dc');
    expect(picture('data:image/png;base64,iVBORw0KGgo=')).toBe('data:image/png;base64,iVBORw0KGgo=');
    for (const bad of ['https://elsewhere.example/x.png', '../../etc', 'data:image/svg+xml;base64,AAAA', 7, '']) {
      expect(picture(bad)).toBeNull();
    }
  });

  it('removes characters that could disguise a name', () => {
    expect(readDiscordProfile({ ...user, global_name: 'no\u202Eva\u0000 ' }).username).toBe('nova');
    expect(readDiscordProfile({ ...user, global_name: '\u200B\u200B' }).username).toBe('nova');
  });

  it.each(['\u3164', '\u2800 \u2800', '\uFFA0\u034F', '\u17B5'])(
    'falls back to the username when global_name is invisible (%j)',
    (blank) => {
      expect(readDiscordProfile({ ...user, global_name: blank }).username).toBe('nova');
      expect(readDiscordProfile({ ...user, global_name: `${blank}n` }).username).toBe(`${blank}n`);
      // There is no other for who signed up long ago.
      expect(readDiscordProfile({ ...user, username: '\u3164', global_name: null }).username).toBe('\u3164');
    },
  );

  it.each([
    ['nothing', null],
    ['a list', []],
    ['text', 'user'],
    ['no id', { username: 'x' }],
    ['no username', { id: ID }],
    ['an empty username', { id: ID, username: '' }],
    ['a number as id', { id: 5, username: 'x' }],
    ['an id that is no snowflake', { id: 'abc', username: 'x' }],
    ['an id of more than 64 bits', { id: '99999999999999999999', username: 'x' }],
  ])('throws InvalidDiscordUser for %s', (_name, answer) => {
    expect(() => readDiscordProfile(answer)).toThrow(InvalidDiscordUser);
  });
});
