import { writeFileSync } from 'node:fs';
import mongoose, { type mongo } from 'mongoose';

/*
 * Preloaded into a service (node --import) whose MONGODB_URI has monitorCommands=true: writes into COMMANDS_FILE, every
 * 50 ms, how many commands its MongoDB clients have sent: {all, steps}. The driver's own commands do not count. `steps` are
 * the reads of one account and the compare-and-sets on its seq, of which a save is made; the others are the relay's (what goes
 * out once in thirty seconds) and the sweeps'.
 */

const EVERY_MS = 50;
const OWN = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'endSessions']);
const { COMMANDS_FILE: file = '' } = process.env;
const sent = { all: 0, steps: 0 };
let written = -1;

const client = mongoose.mongo.MongoClient.prototype;
const { emit } = client;
Object.assign(client, {
  emit(this: mongo.MongoClient, event: string, ...args: unknown[]) {
    if (event === 'commandStarted') count(args[0] as mongo.CommandStartedEvent);
    return Reflect.apply(emit, this, [event, ...args]);
  },
});
setInterval(() => {
  if (sent.all === written) return;
  written = sent.all;
  writeFileSync(file, JSON.stringify(sent));
}, EVERY_MS).unref();

function count({ commandName, command }: mongo.CommandStartedEvent) {
  if (OWN.has(commandName)) return;
  sent.all += 1;
  sent.steps += stepsIn(command);
}

/** Saves that come at once share a command; each counts. */
function stepsIn({ find, update, filter, updates }: mongo.BSON.Document): number {
  if (find === 'accounts') return Object.keys(filter).join() === '_id' ? 1 : 0;
  const isStep = ({ q }: { q: object }) => Object.keys(q).join() === '_id,seq';
  return update === 'accounts' ? updates.filter(isStep).length : 0;
}
