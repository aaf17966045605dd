import { expect, test } from 'vitest';
import { SEED_TASKS } from './seed.js';
import { TASK_LANGUAGES, textsOf } from './task-texts.js';

test.each(TASK_LANGUAGES)('every task of a new system has its own title and description in %s', (language) => {
  const seen = SEED_TASKS.map((task) => textsOf(task, language));
  for (const [index, task] of SEED_TASKS.entries()) {
    expect(seen[index]?.title, task.id).not.toBe(task.title);
    expect(seen[index]?.description, task.id).not.toBe(task.description);
  }
});

test('a text of an admin, English and an untranslated task are returned unchanged', () => {
  const [task] = SEED_TASKS;
  if (!task) throw new Error('no task');
  expect(textsOf({ ...task, title: 'Check in, now' }, 'de')).toEqual({
    title: 'Check in, now',
    description: 'Checke einmal am Tag ein und halte deine Serie.',
  });
  for (const language of ['en', 'fr']) expect(textsOf(task, language)).toMatchObject({ title: 'Daily check-in' });
  expect(textsOf({ ...task, id: 'new-one' }, 'de')).toMatchObject({ title: 'Daily check-in' });
});
