import { writeFileSync } from 'node:fs';
import mongoose from 'mongoose';

/*
 * Preloaded into a service (node --import) whose MONGODB_URI has monitorCommands=true: writes into COMMANDS_FILE, every
 * 50 ms, how many commands its MongoDB clients have sent: {all, steps}. What they tell of themselves does not count. `steps` are
 * the reads of one account and the compare-and-sets on its seq, of which a save is made; the others are the relay's (what goes
 * out once in thirty seconds) and the sweeps'.
 */

const EVERY_MS = 50;
const OWN = new Set(['hello', 'isMaster', 'ismaster', 'ping', 'endSessions']);
const sent = { all: 0, steps: 0 };
let written = -1;

const client = mongoose.mongo.MongoClient.prototype;
const { emit } = client;
client.emit = function (event, ...args) {
  if (event === 'commandStarted' && !OWN.has(args[0].commandName)) {
    sent.all += 1;
    sent.steps += stepsIn(args[0].command);
  }
  return emit.call(this, event, ...args);
};
setInterval(() => {
  if (sent.all === written) return;
  written = sent.all;
  writeFileSync(process.env.COMMANDS_FILE, JSON.stringify(sent));
}, EVERY_MS).unref();

/** Saves that come at once share a command; each counts. */
function stepsIn({ find, update, filter, updates }) {
  if (find === 'accounts') return Object.keys(filter).join() === '_id' ? 1 : 0;
  return update === 'accounts' ? updates.filter(({ q }) => Object.keys(q).join() === '_id,seq').length : 0;
}
