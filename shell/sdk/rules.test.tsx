import { rules } from '@cord/contracts/addresses/rules';
import type { PublicRules } from '@cord/contracts/http/rules';
import { FIRST_BOOK, type RuleBook } from '@cord/contracts/rules/rule-book';
import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useRuleBook, useRules } from './rules';
import { createTestSdk, sampleRules } from './testing';
import { renderWithSdk } from './testing/render';

const drawn: RuleBook[] = [];
let isKnown = false;

function Drawing() {
  drawn.push(useRuleBook());
  return null;
}

function Known() {
  isKnown = useRules().data !== undefined;
  return null;
}

/** Returns the books of each render of a component, until the rules are loaded. */
async function drawnBy({ books, epochs }: PublicRules): Promise<RuleBook[]> {
  const sdk = createTestSdk();
  sdk.api.on(rules, { books, epochs });
  drawn.length = 0;
  isKnown = false;
  renderWithSdk(
    <>
      <Drawing />
      <Known />
    </>,
    sdk,
  );
  await waitFor(() => expect(isKnown).toBe(true));
  return drawn;
}

it('renders once when the first rules are still in force', async () => {
  const { books, epochs } = sampleRules();
  expect(await drawnBy({ books: books.slice(0, 1), epochs })).toEqual([FIRST_BOOK]);
});

it('renders again with other rules', async () => {
  const books = await drawnBy(sampleRules({ baseNano: 400_000_000 }));
  expect(books.map(({ baseNano }) => baseNano)).toEqual([FIRST_BOOK.baseNano, 400_000_000]);
});
