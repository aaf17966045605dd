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
  it('navigates to Discord', async () => {
    const flow = flowWith();
    await flow.start();
    expect(visited).toEqual(['/api/auth/discord']);
    expect(flow.state.get().status).toBe('redirecting');
  });

  it('passes the friend’s code and the requested place on', async () => {
    await flowWith('K7M2QX9D', 'tab=leaderboard&miner=ada').start();
    expect(visited).toEqual(['/api/auth/discord?ref=K7M2QX9D&back=tab%3Dleaderboard%26miner%3Dada']);
  });

  it('stays here with an error when the server is unreachable', async () => {
    api.fail(at.auth.jwks, offline());
    const flow = flowWith();
    await flow.start();
    expect(visited).toEqual([]);
    expect(flow.state.get()).toMatchObject({ status: 'error', key: 'unreachable' });
  });

  it('stays here with an error when the sign-in service is down', async () => {
    api.fail(at.auth.jwks, problem(503, 'down'));
    const flow = flowWith();
    await flow.start();
    expect(visited).toEqual([]);
    expect(flow.state.get()).toMatchObject({ status: 'error', key: 'start_failed' });
  });

  it('fails when the redirect does not leave the page within 15 s', async () => {
    const flow = flowWith();
    await flow.start();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(flow.state.get()).toMatchObject({ status: 'error', key: 'start_failed' });
  });

  it('does not navigate if it was closed before the response', async () => {
    const flow = flowWith();
    const starting = flow.start();
    flow.close();
    await starting;
    expect(visited).toEqual([]);
    expect(flow.state.get().status).toBe('closed');
  });

  it('shows success for a second', async () => {
    const flow = flowWith();
    const done = flow.succeed();
    await vi.advanceTimersByTimeAsync(999);
    expect(flow.state.get().status).toBe('success');
    await vi.advanceTimersByTimeAsync(1);
    await done;
    expect(flow.state.get().status).toBe('closed');
  });
});
