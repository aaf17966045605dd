// Run by mongosh on mongo-0: signs in as root, makes the replica set of three, and the users. Doing it again changes nothing.
const { readFileSync } = require('node:fs');

const HOSTS = ['mongo-0:27017', 'mongo-1:27017', 'mongo-2:27017'];
const NOT_YET_INITIALIZED = 94;
const WAIT_MS = 500;
const admin = db.getSiblingDB('admin');
admin.auth('root', readFileSync('/run/secrets/root', 'utf8').trim());

function config() {
  try {
    return rs.conf();
  } catch (error) {
    if (error.code !== NOT_YET_INITIALIZED) throw error;
    rs.initiate({ _id: 'cord', members: [{ _id: 0, host: HOSTS[0] }] });
    return rs.conf();
  }
}

function awaitPrimary() {
  while (!db.hello().isWritablePrimary) sleep(WAIT_MS);
}

const { members } = config();
awaitPrimary();
for (const host of HOSTS) {
  if (!members.some((member) => member.host === host)) rs.add(host);
}
awaitPrimary();

// A service reaches its own database and no other; the jobs make indexes and change documents in all of them.
for (const [user, pwd] of Object.entries(JSON.parse(readFileSync('/run/secrets/users.json', 'utf8')))) {
  const roles =
    user === 'jobs' ? ['readWriteAnyDatabase', 'dbAdminAnyDatabase'] : [{ role: 'readWrite', db: `cord_${user}` }];
  if (admin.getUser(user) === null) admin.createUser({ user, pwd, roles });
  else admin.updateUser(user, { pwd, roles });
}
