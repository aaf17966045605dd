import { expect, test } from 'vitest';
import { cardLanguage, inviteCardPath, rankCardPath, sharedLink } from './card.js';

test('a shared link and its card contain their language, unless it is English', () => {
  const link = 'https://cord.example/?ref=K7M2QX9D';
  expect([sharedLink(link, 'en'), inviteCardPath('K7M2QX9D')]).toEqual([link, '/share/K7M2QX9D.png']);
  expect([sharedLink(link, 'de'), inviteCardPath('K7M2QX9D', 'de'), rankCardPath('u1', 'de')]).toEqual([
    `${link}&lang=de`,
    '/share/K7M2QX9D.png?lang=de',
    '/share/rank/u1.png?lang=de',
  ]);
  expect(['de', 'pt', '', null].map(cardLanguage)).toEqual(['de', 'en', 'en', 'en']);
});
