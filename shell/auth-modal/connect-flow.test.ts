import { at, createFakeApi, offline, problem } from '@cord/sdk/testing';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type ConnectFlow, createConnectFlow } from './connect-flow';

let visited: string[];
const api = createFakeApi();

function flowWith(referral: string | null = null, wanted: string | null = null): ConnectFlow {
  return createConnectFlow({
    api,
    referral: () => referral,
    wanted: () => wanted,
    navigate: (address) => void visited.push(address),
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  visited = [];
  api.on(at.auth.jwks, { keys: [] });
});

describe('connecting to Discord', () => {
  it('leaves for Discord', async () => {
    const flow = flowWith();
    await flow.start();
    expect(visited).toEqual(['/api/auth/discord']);
    expect(flow.state.get().status).toBe('redirecting');
  });

  it('takes along the friend’s code, and the place that a link led to', async () => {
    await flowWith('K7M2QX9D', 'tab=leaderboard&miner=ada').start();
    expect(visited).toEqual(['/api/auth/discord?ref=K7M2QX9D&back=tab%3Dleaderboard%26miner%3Dada']);
  });

  it('without a connection stays here and shows it', async () => {
    api.fail(at.auth.jwks, offline());
    const flow = flowWith();
    await flow.start();
    expect(visited).toEqual([]);
    expect(flow.state.get()).toMatchObject({ status: 'error', key: 'unreachable' });
  });

  it('with the sign-in service down stays here and shows it', async () => {
    api.fail(at.auth.jwks, problem(503, 'down'));
    const flow = flowWith();
    await flow.start();
    expect(visited).toEqual([]);
    expect(flow.state.get()).toMatchObject({ status: 'error', key: 'start_failed' });
  });

  it('a redirect that never leaves the page has failed', async () => {
    const flow = flowWith();
    await flow.start();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(flow.state.get()).toMatchObject({ status: 'error', key: 'start_failed' });
  });

  it('closed before the answer came, goes nowhere', async () => {
    const flow = flowWith();
    const starting = flow.start();
    flow.close();
    await starting;
    expect(visited).toEqual([]);
    expect(flow.state.get().status).toBe('closed');
  });

  it('shows its success for a second', async () => {
    const flow = flowWith();
    const done = flow.succeed();
    await vi.advanceTimersByTimeAsync(999);
    expect(flow.state.get().status).toBe('success');
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(flow.state.get().status).toBe('closed');
  });
});
