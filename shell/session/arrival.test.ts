// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { takeArrival } from './arrival';

function arriveAt(address: string) {
  history.replaceState(null, '', address);
  return { arrival: takeArrival(location, history), left: location.pathname + location.search + location.hash };
}

describe('parameters of the address', () => {
  it('are removed from it, except the tab and the fragment', () => {
    const { arrival, left } = arriveAt('/?tab=tasks&ref=k7m2qx9d&lang=de&welcome=new#top');
    expect(arrival).toEqual({ authError: null, welcome: 'new', referral: 'k7m2qx9d' });
    expect(left).toBe('/?tab=tasks#top');
  });

  it('contain the error of a failed sign-in', () => {
    expect(arriveAt('/?auth_error=denied').arrival.authError).toBe('denied');
  });

  it('ignore an unknown kind of welcome', () => {
    expect(arriveAt('/?welcome=maybe').arrival.welcome).toBeNull();
  });
});
