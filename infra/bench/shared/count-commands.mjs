// @ts-check
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import mongoose from 'mongoose';

/*
 * Preloaded into processes by `counting` (commands.ts). Every 50 ms it writes the number of commands sent by the
 * process's MongoDB clients into the folder of its URL, without the driver's own commands.
 */

const EVERY_MS = 50;
const OWN = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'endSessions']);
const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);
const file = join(new URL(import.meta.url).searchParams.get('folder') ?? '', String(process.pid));
/** @type {import('./commands.ts').Sent} */
const sent = { all: 0, steps: 0, commands: 0, bytes: 0, byKind: {} };
let written = 0;

const client = mongoose.mongo.MongoClient.prototype;
const { emit } = client;
Object.assign(client, {
  /** @type {(this: mongoose.mongo.MongoClient, event: string, ...args: any[]) => unknown} */
  emit(event, ...args) {
    if (event === 'commandStarted') count(args[0]);
    return Reflect.apply(emit, this, [event, ...args]);
  },
});
const write = () => {
  if (sent.all === written) return;
  written = sent.all;
  writeFileSync(`${file}.draft`, JSON.stringify(sent));
  renameSync(`${file}.draft`, file);
};
if (isMainThread) setInterval(write, EVERY_MS).unref();

/** @param {mongoose.mongo.CommandStartedEvent} event */
function count({ commandName, command, databaseName }) {
  if (OWN.has(commandName)) return;
  sent.all += 1;
  sent.steps += stepsIn(command);
  if (!WRITES.has(commandName) || command.writeConcern?.w !== 'majority') return;
  const kind = `${databaseName}.${command[commandName]} ${commandName}`;
  sent.byKind[kind] = (sent.byKind[kind] ?? 0) + 1;
  sent.commands += 1;
  sent.bytes += mongoose.mongo.BSON.calculateObjectSize(command);
}

/**
 * Concurrent saves share a command; each counts.
 * @param {mongoose.mongo.BSON.Document} command
 */
function stepsIn({ find, update, filter, updates }) {
  if (find === 'accounts') return Object.keys(filter).join() === '_id' ? 1 : 0;
  /** @param {{ q: object }} statement */
  const isStep = ({ q }) => Object.keys(q).join() === '_id,seq';
  return update === 'accounts' ? updates.filter(isStep).length : 0;
}
