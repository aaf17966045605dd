import { useState } from 'react';
import { useUserId } from './node';
import { tabStorage } from './storage';

/** All drafts of one user, by what they are for. In this tab of the browser only: a letter is nobody else's business. */
const KEY = 'cord.drafts';

interface Kept {
  userId: string;
  drafts: Record<string, Record<string, string>>;
}

function read(userId: string): Kept {
  try {
    const kept = JSON.parse(tabStorage.getItem(KEY) ?? 'null') as Partial<Kept> | null;
    if (kept?.userId === userId && typeof kept.drafts === 'object') return { userId, drafts: kept.drafts };
  } catch {
    // Something else stands there.
  }
  return { userId, drafts: {} };
}

/** The user leaves: what they began to write goes with them. */
export function forgetDrafts(): void {
  tabStorage.removeItem(KEY);
}

/** What somebody has begun to write into a form. */
export interface Draft<T> {
  typed: T;
  type(change: Partial<T>): void;
  /** It was sent. */
  clear(): void;
}

/**
 * What was typed into a form, kept when its page goes: over a change of tab, a reload, and a sign-in that ended by itself; gone at sign-out.
 * @param name what the form is for, among all forms of all modules; it and `empty` are the same at each render
 */
export function useDraft<T extends Record<string, string>>(name: string, empty: T): Draft<T> {
  const userId = useUserId() ?? '';
  const [typed, setTyped] = useState<T>(() => ({ ...empty, ...read(userId).drafts[name] }));
  const keep = (draft: T | null) => {
    const { drafts } = read(userId);
    const { [name]: _old, ...others } = drafts;
    tabStorage.setItem(KEY, JSON.stringify({ userId, drafts: draft === null ? others : { ...others, [name]: draft } }));
    setTyped(draft ?? empty);
  };
  return {
    typed,
    type: (change: Partial<T>) => keep({ ...typed, ...change }),
    clear: () => keep(null),
  };
}
