// Run by mongosh on mongo-0: signs in as root, creates the replica set of three, and the users. Running it again changes nothing.
const { readFileSync } = require('node:fs');

const HOSTS = ['mongo-0:27017', 'mongo-1:27017', 'mongo-2:27017'];
const DIRECTLY = 'admin?directConnection=true&tls=true&tlsCAFile=/run/secrets/ca.crt';
const NOT_YET_INITIALIZED = 94;
const WAIT_MS = 500;
/** Maximum number of waits: two minutes; then this container exits with an error and is restarted. */
const WAITS_MAX = 240;
const password = readFileSync('/run/secrets/root', 'utf8').trim();
db.getSiblingDB('admin').auth('root', password);

function config() {
  try {
    return rs.conf();
  } catch (error) {
    if (error.code !== NOT_YET_INITIALIZED) throw error;
    rs.initiate({ _id: 'cord', members: [{ _id: 0, host: HOSTS[0] }] });
    return rs.conf();
  }
}

/** Waits for the primary, which can be any of the three, and connects `db` to it: only it can change the set and its users. */
function awaitPrimary() {
  for (let waits = 0; waits < WAITS_MAX; waits += 1) {
    const { isWritablePrimary, primary, me } = db.hello();
    if (isWritablePrimary) return;
    if (primary && primary !== me) db = connect(`mongodb://${primary}/${DIRECTLY}`, 'root', password);
    else sleep(WAIT_MS);
  }
  throw new Error('the replica set has no primary');
}

const { members } = config();
awaitPrimary();
for (const host of HOSTS) {
  if (!members.some((member) => member.host === host)) rs.add(host);
}
awaitPrimary();

// A service can access only its own database; the jobs create indexes and change documents in all of them.
const admin = db.getSiblingDB('admin');
for (const [user, pwd] of Object.entries(JSON.parse(readFileSync('/run/secrets/users.json', 'utf8')))) {
  const roles =
    user === 'jobs' ? ['readWriteAnyDatabase', 'dbAdminAnyDatabase'] : [{ role: 'readWrite', db: `cord_${user}` }];
  if (admin.getUser(user) === null) admin.createUser({ user, pwd, roles });
  else admin.updateUser(user, { pwd, roles });
}
