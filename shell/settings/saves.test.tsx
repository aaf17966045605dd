import { at, offline, problem, sampleSettings } from '@cord/sdk/testing';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { show } from './settings.stage';

describe('settings', () => {
  it('save a toggle on the server', async () => {
    const { shell, user } = show();
    let answer: () => void = () => undefined;
    shell.sdk.api.on(at.users.putSettings, async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return sampleSettings({ autoStart: true });
    });
    const saved = screen.getByTestId('settings-saved');
    expect(saved.textContent).toBe('All changes saved');
    await user.click(await screen.findByTestId('auto-start'));
    await waitFor(() => expect(saved.textContent).toBe('Saving'));
    answer();
    await waitFor(() => expect(saved.textContent).toBe('All changes saved'));
    expect(shell.sdk.api.callsOf(at.users.putSettings)[0]?.body).toEqual({ autoStart: true });
    expect(screen.getByTestId('auto-start').getAttribute('aria-checked')).toBe('true');
  });

  it('revert a toggle that the server refuses, and show why', async () => {
    const { shell, user } = show();
    shell.sdk.api.fail(at.users.putSettings, problem(503, 'Failed to update user settings'));
    await user.click(await screen.findByTestId('auto-start'));
    await waitFor(() =>
      expect(shell.sdk.shown[0]).toMatchObject({ title: 'Not saved', text: 'Failed to update user settings' }),
    );
    expect(screen.getByTestId('auto-start').getAttribute('aria-checked')).toBe('false');
  });

  it('save each kind of notice separately; a pushed kind counts as in app here', async () => {
    const { shell, user } = show();
    const kept = sampleSettings({ notices: { payment: 'push', epoch: 'app' } });
    shell.sdk.api
      .on(at.users.getSettings, () => kept)
      .on(at.users.putSettings, () => ({ ...kept, notices: { ...kept.notices, epoch: 'off' } }));
    const chosen = (kind: string) =>
      within(screen.getByRole('radiogroup', { name: kind })).getByRole<HTMLInputElement>('radio', { checked: true });
    const payment = await screen.findByRole('radiogroup', { name: 'Payment confirmed or refunded' });
    expect(chosen('Payment confirmed or refunded').labels?.[0]?.textContent).toBe('In app');
    await user.click(within(screen.getByRole('radiogroup', { name: 'Epoch begins' })).getByLabelText('Off'));
    await waitFor(() => expect(chosen('Epoch begins').labels?.[0]?.textContent).toBe('Off'));
    expect(shell.sdk.api.callsOf(at.users.putSettings).map(({ body }) => body)).toEqual([
      { notices: { epoch: 'off' } },
    ]);
    expect(payment.isConnected).toBe(true);
  });

  it('save two quick presses in order, and revert only the field of a failed one', async () => {
    const { shell, user } = show();
    const kept = sampleSettings();
    const answers: (() => void)[] = [];
    shell.sdk.api.on(at.users.putSettings, async ({ body }) => {
      await new Promise<void>((resolve) => {
        answers.push(resolve);
      });
      if (body?.notifications) throw problem(503, 'Failed to update user settings');
      const { notices: _first, ...changed } = body ?? {};
      return { ...Object.assign(kept, changed) };
    });
    shell.sdk.api.on(at.users.getSettings, () => ({ ...kept }));
    const checked = (id: string) => screen.getByTestId(id).getAttribute('aria-checked');
    await user.click(await screen.findByTestId('auto-start'));
    await user.click(screen.getByTestId('notifications'));
    expect([checked('auto-start'), checked('notifications')]).toEqual(['true', 'true']);
    await waitFor(() => expect(answers).toHaveLength(1));
    answers[0]?.();
    await waitFor(() => expect(answers).toHaveLength(2));
    expect([checked('auto-start'), checked('notifications')]).toEqual(['true', 'true']);
    answers[1]?.();
    await waitFor(() => expect(checked('notifications')).toBe('false'));
    expect(checked('auto-start')).toBe('true');
  });

  it.each([
    [1, 'false'],
    [2, 'true'],
  ])('keep the server’s value when quick presses on one setting fail from press %i on', async (from, stored) => {
    const { shell, user } = show();
    const answers: (() => void)[] = [];
    shell.sdk.api
      .on(at.users.putSettings, async ({ body }) => {
        const press = await new Promise<number>((resolve) => {
          const nth = answers.length + 1;
          answers.push(() => resolve(nth));
        });
        if (press >= from) throw problem(503, 'Failed to update user settings');
        return { ...sampleSettings(), ...body } as ReturnType<typeof sampleSettings>;
      })
      .on(at.users.getSettings, sampleSettings());
    const toggle = await screen.findByTestId('auto-start');
    const checked = () => toggle.getAttribute('aria-checked');
    await user.click(toggle);
    await user.click(toggle);
    expect(checked()).toBe('false');
    // Nothing is refetched before the connection is back.
    shell.sdk.api.fail(at.users.getSettings, offline());
    await waitFor(() => expect(answers).toHaveLength(1));
    answers[0]?.();
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(checked()).toBe('false');
    answers[1]?.();
    await waitFor(() => expect(shell.sdk.shown).toHaveLength(3 - from));
    expect(checked()).toBe(stored);
  });

  it('revert a refused kind of notice without affecting a press on another kind', async () => {
    const { shell, user } = show();
    const kept = sampleSettings({ notices: { payment: 'app', epoch: 'app' } });
    const answers: (() => void)[] = [];
    shell.sdk.api.on(at.users.getSettings, kept).on(at.users.putSettings, async ({ body }) => {
      await new Promise<void>((resolve) => void answers.push(resolve));
      if (body?.notices?.payment) throw problem(503, 'Failed to update user settings');
      return { ...kept, notices: { ...kept.notices, epoch: 'off' } };
    });
    const group = (kind: string) => within(screen.getByRole('radiogroup', { name: kind }));
    const chosen = (kind: string) =>
      group(kind).getByRole<HTMLInputElement>('radio', { checked: true }).labels?.[0]?.textContent;
    const shown = () => [chosen('Payment confirmed or refunded'), chosen('Epoch begins')];
    await screen.findByRole('radiogroup', { name: 'Epoch begins' });
    await user.click(group('Payment confirmed or refunded').getByLabelText('Off'));
    await user.click(group('Epoch begins').getByLabelText('Off'));
    expect(shown()).toEqual(['Off', 'Off']);
    await waitFor(() => expect(answers).toHaveLength(1));
    answers[0]?.();
    await waitFor(() => expect(answers).toHaveLength(2));
    expect(shown()).toEqual(['In app', 'Off']);
    answers[1]?.();
    await waitFor(() => expect(screen.getByTestId('settings-saved').textContent).toBe('All changes saved'));
    expect(shown()).toEqual(['In app', 'Off']);
  });
});
