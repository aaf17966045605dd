import { expect, test } from 'vitest';
import { userName } from '../starter/user-name.ts';

test('a command is attributed to the name of its user', () => {
  expect(userName(() => ({ username: 'ada' }))).toBe('ada');
});

test('in an image whose user has no name, a command is attributed to the uid', () => {
  const lookUp = () => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  };
  expect(userName(lookUp)).toBe(`uid ${process.getuid?.()}`);
});
