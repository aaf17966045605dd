import { describe, expect, test } from 'vitest';
import { note } from './command-monitor.js';

function seenIn(...commands: Record<string, unknown>[]): string[] {
  const seen = new Set<string>();
  for (const command of commands) note(command, seen);
  return [...seen].sort();
}

describe('a command is reported with', () => {
  test('its options and the operators of its filter, however deep', () => {
    const filter = { $or: [{ a: { $in: [1] } }, { b: { $not: { $gt: 2 } } }] };
    expect(seenIn({ find: 'c', filter, sort: { a: 1 }, $db: 'd' })).toEqual([
      'find',
      'find.$db',
      'find.filter',
      'find.sort',
      'query $gt',
      'query $in',
      'query $not',
      'query $or',
    ]);
  });

  test('its update operators and the modifiers of a push', () => {
    const u = { $set: { 'a.$x': 1 }, $push: { list: { $each: [{ $fake: 1 }] } }, $pull: { list: { n: { $lte: 3 } } } };
    const seen = seenIn({ update: 'c', updates: [{ q: { _id: 1 }, u }] });
    expect(seen).toEqual([
      'push $each',
      'query $lte',
      'statement q',
      'statement u',
      'update',
      'update $pull',
      'update $push',
      'update $set',
      'update.updates',
    ]);
  });

  test('the stages and expressions of an aggregation', () => {
    const pipeline = [{ $match: { a: { $gte: 1 } } }, { $group: { _id: 1, n: { $sum: 1 } } }];
    expect(seenIn({ aggregate: 'c', pipeline })).toEqual([
      'aggregate',
      'aggregate.pipeline',
      'expression $sum',
      'query $gte',
      'stage $group',
      'stage $match',
    ]);
  });

  test('a pipeline used as an update, which the embedded store does not do', () => {
    expect(seenIn({ update: 'c', updates: [{ q: {}, u: [{ $set: {} }] }] })).toContain('update pipeline');
  });
});
