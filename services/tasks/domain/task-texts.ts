import { SEED_TASKS } from './seed.js';
import type { CatalogueTask } from './task.js';

type TaskText = Pick<CatalogueTask, 'title' | 'description'>;

/** The catalogue of a new system in German, by id. */
const GERMAN: Readonly<Record<string, TaskText>> = {
  'daily-checkin': {
    title: 'Täglicher Check-in',
    description: 'Checke einmal am Tag ein und halte deine Serie.',
  },
  'mine-1-hour': {
    title: '1 Stunde Mining',
    description: 'Lass deinen Node an einem Tag eine Stunde laufen.',
  },
  'weekly-mining': {
    title: 'Schürfe diese Woche 1.000 CORD',
    description: 'Es zählt, was dein Node allein von Montag bis Sonntag verdient.',
  },
  'follow-x': {
    title: 'Folge CORD auf X',
    description: 'Öffne unsere Seite und folge ihr.',
  },
  'join-discord': {
    title: 'Komm auf den CORD-Server',
    description: 'Öffne die Einladung und komm zu uns auf Discord.',
  },
  'join-telegram': {
    title: 'Komm in den Telegram-Kanal',
    description: 'Öffne den Kanal und tritt ihm bei.',
  },
  'invite-friends': {
    title: 'Lade 3 Freunde ein',
    description: 'Drei Freunde, die mit deinem Code dabei sind.',
  },
  'early-adopter': {
    title: 'Von Anfang an dabei',
    description: 'Ein Discord-Konto, das fünf Jahre oder älter ist.',
  },
  'social-media-master': {
    title: 'Überall dabei',
    description: 'Erledige jede soziale Aufgabe.',
  },
};

const LANGUAGES: Readonly<Record<string, Readonly<Record<string, TaskText>>>> = { de: GERMAN };
const SEEDS = new Map(SEED_TASKS.map((seed) => [seed.id, seed]));

/** Languages with translated tasks, in addition to English. */
export const TASK_LANGUAGES: readonly string[] = Object.keys(LANGUAGES);

/** Returns a task's texts in a language. Falls back to the stored text when there is no translation, or when an admin changed the text. */
export function textsOf(task: CatalogueTask, language: string): TaskText {
  const [translated, seed] = [LANGUAGES[language]?.[task.id], SEEDS.get(task.id)];
  const { title, description } = task;
  if (!translated || !seed) return { title, description };
  return {
    title: title === seed.title ? translated.title : title,
    description: description === seed.description ? translated.description : description,
  };
}
