import { expect, test } from 'vitest';
import { userName } from '../starter/user-name.ts';

test('a command is run by a user of the machine, by name', () => {
  expect(userName(() => ({ username: 'ada' }))).toBe('ada');
});

test('in an image, whose user has no name, it is run by the number of the user', () => {
  const lookUp = () => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  };
  expect(userName(lookUp)).toBe(`uid ${process.getuid?.()}`);
});
