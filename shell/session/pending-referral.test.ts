// @vitest-environment jsdom
import { beforeEach, describe, expect, it } from 'vitest';
import { createPendingReferral } from './pending-referral';

const pending = () => createPendingReferral(sessionStorage, localStorage);

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

describe('a pending referral code', () => {
  it('is stored in capitals, in session and local storage', () => {
    pending().keep(' k7m2qx9d ');
    sessionStorage.clear();
    expect(pending().get()).toBe('K7M2QX9D');
  });

  it.each(['K7M2Q', 'K7M2QX9', 'K7M2QX9D1', 'K7M2-X', ''])('of the wrong form is not stored: "%s"', (code) => {
    pending().keep(code);
    expect(localStorage.length).toBe(0);
    expect(pending().get()).toBeNull();
    localStorage.setItem('cord.pending-referral', code);
    expect(pending().get()).toBeNull();
  });

  it('of six characters is accepted', () => {
    pending().keep('AB12CD');
    expect(pending().get()).toBe('AB12CD');
  });

  it('is deleted from both storages', () => {
    pending().keep('AB12CD');
    pending().forget();
    expect(sessionStorage.length + localStorage.length).toBe(0);
  });
});
