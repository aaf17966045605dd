/** What is pressed before the key of a view. */
export const FIRST_KEY = 'g';

/** Every key of the room beside those of its views; a view takes its own from here, and the list of all keys shows them. */
export const KEYS = {
  all: '?',
  search: '/',
  next: 'j',
  previous: 'k',
  take: 'e',
  answer: 'a',
  clear: 'c',
  mark: 'm',
  table: 't',
  close: 'escape',
} as const;
