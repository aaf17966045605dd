import { userInfo } from 'node:os';
import { expect, test, vi } from 'vitest';
import { userName } from '../starter/user-name.ts';

vi.mock('node:os', async (original) => ({ ...(await original<typeof import('node:os')>()), userInfo: vi.fn() }));

test('a command is run by a user of the machine, by name', () => {
  vi.mocked(userInfo).mockReturnValue({ username: 'ada' } as ReturnType<typeof userInfo>);
  expect(userName()).toBe('ada');
});

test('in an image, whose user has no name, it is run by the number of the user', () => {
  vi.mocked(userInfo).mockImplementation(() => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  });
  expect(userName()).toBe(`uid ${process.getuid?.()}`);
});
