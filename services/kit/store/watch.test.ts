import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { STORE_HELD_LOOKS_MAX, STORE_SILENT_LOOKS_MAX } from '../bounds.js';
import { watchDriver } from './watch.js';

const SILENT = 'it no longer sends heartbeats to a server';
const HELD = 'a command never ends';

function watched() {
  const client = new EventEmitter();
  const taken = new Map<string, number>();
  const watch = watchDriver(client, taken);
  const beat = (event: string, server = 'a:1') => client.emit(event, { connectionId: server });
  const looks = (count: number) => Array.from({ length: count }, () => watch.look());
  return { client, taken, watch, beat, looks };
}
const well = (count: number) => Array<undefined>(count).fill(undefined);

describe('a driver is lost', () => {
  test('when it never sends a server anything', () => {
    const { looks } = watched();
    expect(looks(STORE_SILENT_LOOKS_MAX)).toEqual([...well(STORE_SILENT_LOOKS_MAX - 1), SILENT]);
  });

  test('when its heartbeat has begun and does not end', () => {
    const { looks, beat } = watched();
    looks(STORE_SILENT_LOOKS_MAX - 1);
    beat('serverHeartbeatStarted');
    expect(looks(STORE_SILENT_LOOKS_MAX)).toEqual([...well(STORE_SILENT_LOOKS_MAX - 1), SILENT]);
  });

  test('when it stops sending to one server of several', () => {
    const { looks, beat, watch } = watched();
    beat('serverHeartbeatStarted', 'a:1');
    const found = Array.from({ length: STORE_SILENT_LOOKS_MAX }, () => {
      beat('serverHeartbeatStarted', 'b:1');
      return watch.look();
    });
    expect(found.at(-1)).toBe(SILENT);
    expect(looks(1)).toEqual([SILENT]);
  });

  test('when it holds a connection for one command for ever', () => {
    const { taken, beat, watch } = watched();
    taken.set('a:1 7', 1);
    const found = Array.from({ length: STORE_HELD_LOOKS_MAX }, () => {
      beat('serverHeartbeatStarted');
      return watch.look();
    });
    expect(found).toEqual([...well(STORE_HELD_LOOKS_MAX - 1), HELD]);
  });
});

describe('a driver is well', () => {
  test('while its store is away and its heartbeats fail', () => {
    const { beat, watch } = watched();
    beat('serverHeartbeatStarted');
    for (let n = 0; n < 3 * STORE_SILENT_LOOKS_MAX; n += 1) {
      beat('serverHeartbeatFailed');
      expect(watch.look()).toBeUndefined();
    }
  });

  test('after a server has left the set, even when its last heartbeat ends late', () => {
    const { client, beat, watch } = watched();
    beat('serverHeartbeatStarted', 'gone:1');
    client.emit('serverClosed', { address: 'gone:1' });
    beat('serverHeartbeatFailed', 'gone:1');
    for (let n = 0; n < 3 * STORE_SILENT_LOOKS_MAX; n += 1) {
      beat('serverHeartbeatStarted', 'here:1');
      expect(watch.look()).toBeUndefined();
    }
  });

  test('while a connection is used for one command after another', () => {
    const { taken, beat, watch } = watched();
    for (let n = 0; n < 3 * STORE_HELD_LOOKS_MAX; n += 1) {
      taken.set('a:1 7', n);
      beat('serverHeartbeatStarted');
      expect(watch.look()).toBeUndefined();
    }
  });
});
