import { SIGN_IN_TOO_OLD } from '@cord/contracts/addresses/auth';
import { at, offline, problem, sampleUser } from '@cord/sdk/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { sampleCheckOf } from '../ledger-check/check.fixtures';
import { endOf } from '../session/ended-elsewhere';
import { AT, show } from './settings.stage';

/** Reads a blob; jsdom supports only FileReader. */
const textOf = (file: Blob) =>
  new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(file);
  });

describe('settings', () => {
  it('show a failed export', async () => {
    const { shell, user } = show();
    shell.sdk.api.fail(at.users.export, problem(500, 'down'));
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(shell.sdk.shown[0]).toMatchObject({ title: 'Export failed' }));
    shell.sdk.api.on(at.users.export, sampleUser() as never).fail(at.log.proof, problem(500, 'down'));
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(shell.sdk.shown).toHaveLength(2));
  });

  it('export one file with the ledger’s proof, and with null before the first root', async () => {
    const { shell, user } = show();
    const files: Blob[] = [];
    const [createObjectURL, revokeObjectURL] = [(file: Blob) => `blob:${files.push(file)}`, () => undefined];
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL, revokeObjectURL }));
    const names: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    const { proof } = sampleCheckOf('0'.repeat(32), '2026-11-20', { count: 2 });
    const data = { ...sampleUser(), account_age: 5, multiplier: 3.5, exportDate: AT };
    shell.sdk.api.on(at.users.export, data as never).on(at.log.proof, proof);
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(files).toHaveLength(1));
    shell.sdk.api.fail(at.log.proof, problem(404, 'There is no root yet', 'no-root'));
    await user.click(screen.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(files).toHaveLength(2));
    const read = await Promise.all(files.map(async (file) => JSON.parse(await textOf(file))));
    expect(read.map((file) => file.exportDate)).toEqual([AT, AT]);
    expect(read.map((file) => file.proof)).toEqual([proof, null]);
    expect(new Set(names)).toEqual(new Set(['cord-mara.okafor-2026-11-21.json']));
    click.mockRestore();
  });

  it('lead an export and a deletion with an old sign-in to a new one that returns here', async () => {
    const { shell, user } = show();
    const tooOld = problem(403, 'Please sign in again', SIGN_IN_TOO_OLD);
    shell.sdk.api.fail(at.users.export, tooOld).fail(at.users.remove, tooOld);
    history.replaceState(null, '', '/?tab=settings');
    const back = '/api/auth/discord?back=%3Ftab%3Dsettings';
    await user.click(screen.getByRole('button', { name: 'Export' }));
    const link = await screen.findByRole('link', { name: 'Sign in again' });
    expect(link.getAttribute('href')).toBe(back);
    expect(shell.sdk.shown).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Delete account' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByRole('textbox'), 'mara.okafor');
    await user.click(dialog.getByRole('button', { name: 'Delete account' }));
    expect((await dialog.findByRole('link', { name: 'Sign in again' })).getAttribute('href')).toBe(back);
    expect(shell.sdk.session.state.get().status).toBe('signed-in');
  });

  it('delete the account after its name is typed, and the user’s data here', async () => {
    const { shell, user } = show();
    const taken = vi.fn(async (_name: string) => true);
    vi.stubGlobal('caches', { delete: taken });
    shell.sdk.api.on(at.users.remove, undefined);
    await user.click(screen.getByRole('button', { name: 'Delete account' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('A one-way mark stays, so that one-time rewards cannot be claimed again.')).toBeTruthy();
    await user.click(dialog.getByRole('button', { name: /^Delete account/ }));
    expect(shell.sdk.api.callsOf(at.users.remove)).toHaveLength(0);
    await user.type(dialog.getByRole('textbox'), 'mara.okafor');
    await user.click(dialog.getByRole('button', { name: 'Delete account' }));
    await waitFor(() => expect(shell.sdk.session.state.get().status).toBe('signed-out'));
    expect(shell.sdk.api.callsOf(at.users.remove)[0]?.body).toEqual({ confirm: 'mara.okafor' });
    expect(taken).toHaveBeenCalledExactlyOnceWith('cord-push');
    expect(shell.ended.get()).toBe('erased');
    expect(shell.sdk.sent.map(endOf)).toContain('erased');
  });

  it.each([
    ['its repeat, which is of nobody (401)', 401, 'erased'],
    ['its repeat, which finds no account (404)', 404, 'erased'],
    ['another call, which finds the session ended', 0, 'erased'],
    ['nothing, for the account is there (403)', 403, null],
  ])('treat a deletion with a lost response as done or not, as shown by %s', async (_by, status, end) => {
    const { shell, user } = show();
    vi.stubGlobal('caches', { delete: async () => true });
    const { api, session, sent } = shell.sdk;
    let tries = 0;
    api.on(at.users.remove, () => {
      tries += 1;
      // A call that finds the session ended signs out, this one or another.
      if (status === 0 || (status === 401 && tries > 1)) session.signOut();
      throw tries === 1 ? offline() : problem(status, 'Sign in first');
    });
    await user.click(screen.getByRole('button', { name: 'Delete account' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByRole('textbox'), 'mara.okafor');
    await user.click(dialog.getByRole('button', { name: 'Delete account' }));
    await waitFor(() => expect(tries).toBe(status === 0 ? 1 : 2));
    await waitFor(() => expect(shell.ended.get()).toBe(end));
    expect(sent.map(endOf).includes('erased')).toBe(end === 'erased');
    expect(session.state.get().status).toBe(end === 'erased' ? 'signed-out' : 'signed-in');
  });
});
