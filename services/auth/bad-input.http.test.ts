import { supportEndpoints } from '@cord/contracts/http/support';
import { testBadInput } from '@cord/kit/testing/bad-input-suite';
import { call } from '@cord/kit/testing/index';
import { eventually, startAuth } from './test/auth.js';

const BODIES: Record<string, Record<string, unknown>> = {
  'auth.exchange': { code: 'x' },
  'users.remove': { confirm: 'user' },
  'clientErrors.report': {
    errors: [{ message: 'x', versions: { shell: '1', sdk: '1' }, at: new Date(0).toISOString() }],
  },
  'support.file': { kind: 'support', subject: 'A subject', text: 'A text of some length' },
  'admin.answer': { answer: 'Yes' },
  'admin.markAddress': { shared: true, reason: 'A good reason' },
  'admin.retryParkedCredit': { service: 'tasks', key: 'task:none' },
  'admin.throwSwitch': { on: true, why: 'A good reason' },
  'admin.changeUser': { reason: 'A good reason' },
  'admin.actOnRelease': { act: 'freeze', seq: 1, reason: 'A good reason' },
};

testBadInput(
  'auth',
  async () => {
    const auth = await startAuth();
    const { id, token } = await auth.signUp('user');
    await auth.makeAdmin({ id });
    await eventually(async () => (await call(auth.url, supportEndpoints.audit, { token })).status === 200);
    const params = { id, username: 'user', key: 'a'.repeat(32), name: 'claims' };
    return {
      url: auth.url,
      backend: auth.backend,
      goodCall: ({ id: name }) => ({
        params: name === 'admin.actOnRelease' ? { ...params, name: 'mfe_none' } : params,
        body: BODIES[name] ?? {},
        token,
      }),
      stop: auth.stop,
    };
  },
  {
    // POST /users makes no user, whatever its body: users come by sign-in.
    leftOut: ['users.create'],
    // Who was here when, which every signed-in request notes.
    noted: ['sessions'],
  },
);
