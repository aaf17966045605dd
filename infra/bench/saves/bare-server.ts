import type { AddressInfo } from 'node:net';
import { bodyParser } from '@koa/bodyparser';
import Koa from 'koa';
import mongoose from 'mongoose';

/*
 * The yardstick of `npm run bench -- saves`: the minimum of a save over HTTP. Koa, a JSON body, one mongoose
 * findOneAndUpdate, as durable as mining's. No sign-in, no checks, no money.
 */

const { MONGODB_URI = '', USERS } = process.env;
await mongoose.connect(MONGODB_URI, {
  dbName: 'bench_bare',
  writeConcern: { w: 'majority', journal: true },
  maxPoolSize: 64,
});

const Counter = mongoose.model(
  'Counter',
  new mongoose.Schema({ _id: String, balance: Number, seq: Number, savedAt: Date }, { versionKey: false }),
);
await Counter.deleteMany({});
await Counter.insertMany(
  Array.from({ length: Number(USERS) }, (_, n) => ({ _id: `user${n}`, balance: 0, seq: 0, savedAt: new Date() })),
);

const app = new Koa();
app.use(bodyParser());
app.use(async (ctx) => {
  const userId = ctx.path.slice('/save/'.length);
  const { earningsToAdd } = ctx.request.body as { earningsToAdd: number };
  const change = { $inc: { balance: earningsToAdd, seq: 1 }, $set: { savedAt: new Date() } };
  const counter = await Counter.findOneAndUpdate({ _id: userId }, change, { returnDocument: 'after' });
  if (!counter) throw new Error(`unknown user ${userId}`);
  ctx.body = { success: true, newBalance: counter.balance, seq: counter.seq };
});
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(`listening on ${port}`);
});
