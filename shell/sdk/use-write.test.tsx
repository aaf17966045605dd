import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { at, createTestSdk, problem, sampleUser } from './testing';
import { act, renderWithSdk } from './testing/render';
import { useWrite } from './use-write';

const CLAIM = at.rewards.cordClaim;

function Claim({ label }: { label: string }) {
  const claim = useWrite(
    (api, _press: null, idempotencyKey) => api.call(CLAIM, { body: { userId: 'u' }, idempotencyKey }),
    {
      key: ['claim', 'u'],
      refresh: [['history']],
    },
  );
  return (
    <button type="button" onClick={() => claim.press(null)}>
      {label} {claim.isPending ? 'busy' : claim.error ? claim.error.message : 'free'}
    </button>
  );
}

test('all buttons of one write are busy together, and a press on any of them is the same press', async () => {
  const sdk = createTestSdk();
  sdk.api.hang(CLAIM);
  const { user } = renderWithSdk(
    <>
      <Claim label="one" />
      <Claim label="two" />
    </>,
    sdk,
  );
  await user.dblClick(screen.getByRole('button', { name: /one/ }));
  await user.click(await screen.findByRole('button', { name: 'two busy' }));
  expect(sdk.api.callsOf(CLAIM)).toHaveLength(1);
});

test('an error is shown, and the affected queries are invalidated here and in the other tabs', async () => {
  const sdk = createTestSdk();
  sdk.queries.setQueryData(['history'], []);
  sdk.api.fail(CLAIM, problem(409, 'Already claimed'));
  const { user } = renderWithSdk(<Claim label="one" />, sdk);
  await user.click(screen.getByRole('button'));
  await screen.findByRole('button', { name: 'one Already claimed' });
  expect(sdk.queries.getQueryState(['history'])?.isInvalidated).toBe(true);
  expect(sdk.sent.map(({ kind }) => kind)).toEqual(['stale']);
});

function Setting({ shown }: { shown: string[] }) {
  const save = useWrite((api, text: string) => api.call(at.rewards.cordClaim, { body: { userId: text } }), {
    key: ['setting'],
    queue: true,
    onPress: async (text) => {
      shown.push(text);
      return () => shown.push(`not ${text}`);
    },
  });
  return (
    <button type="button" onClick={() => save.press(`press ${shown.length}`)}>
      save
    </button>
  );
}

test('queued presses are shown at once and sent one after another; a refused one is rolled back', async () => {
  const sdk = createTestSdk();
  const shown: string[] = [];
  const answers: (() => void)[] = [];
  sdk.api.on(CLAIM, () => new Promise((resolve) => answers.push(() => resolve({} as never))));
  const { user } = renderWithSdk(<Setting shown={shown} />, sdk);
  await user.dblClick(screen.getByRole('button'));
  expect(shown).toEqual(['press 0', 'press 1']);
  const sent = () => sdk.api.callsOf(CLAIM).map(({ body }) => (body as { userId: string }).userId);
  await waitFor(() => expect(sent()).toEqual(['press 0']));
  sdk.api.fail(CLAIM, problem(422, 'No'));
  answers[0]?.();
  await waitFor(() => expect(sent()).toEqual(['press 0', 'press 1']));
  await waitFor(() => expect(shown).toEqual(['press 0', 'press 1', 'not press 1']));
});

function Greeting({ ended }: { ended: string[] }) {
  const save = useWrite((api, _press: null) => api.call(CLAIM, { body: { userId: 'u' } }), {
    key: ['greeting'],
    refresh: [['greeting']],
    onPress: async () => () => ended.push('taken back'),
    onDone: () => ended.push('done'),
    onFailed: () => ended.push('failed'),
    toast: {
      done: () => ({ kind: 'success', title: 'Done' }),
      failed: () => ({ kind: 'error', title: 'Failed' }),
    },
  });
  return (
    <button type="button" onClick={() => save.press(null)}>
      {save.isPending ? 'busy' : 'free'}
    </button>
  );
}

test.each([
  ['is done', undefined, ['done'], { kind: 'success', title: 'Done' }],
  ['is refused', problem(422, 'No'), ['taken back', 'failed'], { kind: 'error', title: 'Failed' }],
])('a write that %s shows its outcome and invalidates its queries', async (_how, error, expected, toast) => {
  const sdk = createTestSdk();
  const ended: string[] = [];
  if (error) sdk.api.fail(CLAIM, error);
  else sdk.api.on(CLAIM, {} as never);
  const { user } = renderWithSdk(<Greeting ended={ended} />, sdk);
  await user.click(screen.getByRole('button'));
  await waitFor(() => expect(sdk.sent).toMatchObject([{ kind: 'stale', queryKey: ['greeting'] }]));
  expect([ended, sdk.shown]).toMatchObject([expected, [toast]]);
  await screen.findByRole('button', { name: 'free' });
});

test.each([
  ['is done', undefined],
  ['is refused', problem(422, 'No')],
])('a write of one user that %s after the next one has signed in has no effect', async (_how, error) => {
  const sdk = createTestSdk();
  const ended: string[] = [];
  let answer: () => void = () => undefined;
  sdk.api.on(
    CLAIM,
    () =>
      new Promise((resolve, reject) => {
        answer = () => (error ? reject(error) : resolve({} as never));
      }),
  );
  const { user } = renderWithSdk(<Greeting ended={ended} />, sdk);
  await user.click(screen.getByRole('button'));
  await waitFor(() => expect(sdk.api.callsOf(CLAIM)).toHaveLength(1));
  act(() => sdk.session.signIn(sampleUser({ id: 'f'.repeat(32) })));
  sdk.sent.length = 0;
  answer();
  await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
  expect([ended, sdk.shown, sdk.sent]).toEqual([[], [], []]);
});

function Form({ done }: { done: () => void }) {
  const save = useWrite((api, text: string) => api.call(CLAIM, { body: { userId: text } }), { key: ['form'] });
  return (
    <button type="button" onClick={() => save.press('a', done)}>
      {save.sending ?? 'idle'}
    </button>
  );
}

test('a press has a callback of its own, and its input is known while it is sent', async () => {
  const sdk = createTestSdk();
  const done = vi.fn();
  const claim = sdk.api.hold(CLAIM);
  const { user } = renderWithSdk(<Form done={done} />, sdk);
  await user.click(screen.getByRole('button', { name: 'idle' }));
  await screen.findByRole('button', { name: 'a' });
  expect(done).not.toHaveBeenCalled();
  claim.answer({} as never);
  await screen.findByRole('button', { name: 'idle' });
  expect(done).toHaveBeenCalledOnce();
});
