import { mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BACKED_UP } from '../../dev/backup/secrets.ts';
import { type Any, canRender, HERE, rendered, secretsIn, text } from './files.js';
import { problemsOf } from './schemas.js';

describe.skipIf(!canRender)('the nightly backup', () => {
  const objects = canRender ? rendered('kubernetes/overlays/production') : [];
  /** Creates an overlay with the claim and the patch of README.md. */
  const overlay = (): Any[] => {
    const [claim = '', patch = ''] = [...text('kubernetes/README.md').matchAll(/```yaml\n([\s\S]*?)```/g)].map(
      ([, block]) => block,
    );
    const folder = mkdtempSync(join(realpathSync(tmpdir()), 'cord-overlay-'));
    const base = relative(folder, `${realpathSync(HERE)}/kubernetes/overlays/production`);
    writeFileSync(join(folder, 'backup.yaml'), claim);
    writeFileSync(
      join(folder, 'kustomization.yaml'),
      `namespace: cord\nresources: [${base}, backup.yaml]\npatches:\n${patch}`,
    );
    return rendered(relative(HERE, folder));
  };
  const jobIn = (all: Any[], name = 'backup') =>
    all.find(({ kind, metadata }) => kind === 'CronJob' && metadata.name === name);

  test('is suspended until an overlay has a volume for it, and then runs each night', () => {
    const all = overlay();
    const { spec, metadata } = jobIn(all);
    expect([jobIn(objects).spec.suspend, spec.suspend]).toEqual([true, false]);
    expect(spec.schedule).toMatch(/^\d+ \d+ \* \* \*$/);
    const { volumes } = spec.jobTemplate.spec.template.spec;
    const { claimName } = volumes.find(({ name }: Any) => name === 'backup').persistentVolumeClaim;
    const claimed = (one: Any) => one.kind === 'PersistentVolumeClaim' && one.metadata.name === claimName;
    expect(objects.filter(claimed)).toEqual([]);
    expect(all.filter(claimed)).toMatchObject([{ metadata: { namespace: metadata.namespace } }]);
    for (const one of [jobIn(all), all.find(claimed)]) expect(problemsOf(one)).toEqual([]);
  });

  test('exports to a new file on the volume, with every secret of a backup', () => {
    const { ttlSecondsAfterFinished, template } = jobIn(overlay()).spec.jobTemplate.spec;
    const [{ command, args, env, volumeMounts }] = template.spec.containers;
    expect(command).toBeUndefined();
    const [program, noun, verb, file, ...options] = args;
    expect([program, noun, verb]).toEqual(['infra/cli/cord.mjs', 'data', 'export']);
    const at = (name: string) => volumeMounts.find((mount: Any) => mount.name === name);
    expect([dirname(file), at('backup').readOnly]).toEqual([at('backup').mountPath, undefined]);
    // The pod has a different name each night.
    expect(file).toContain('$(POD_NAME)');
    expect(env).toContainEqual({ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } });
    expect(options).toEqual(['--with-secrets', '--passphrase-file', `${at('passphrase').mountPath}/passphrase`]);
    const { secretName } = template.spec.volumes.find(({ name }: Any) => name === 'passphrase').secret;
    expect(text('kubernetes/README.md')).toContain(`create secret generic ${secretName} --from-file=passphrase=`);
    const keys = secretsIn(template.spec, template.spec.containers[0]).filter((one) => one.includes('/'));
    expect(keys.map((one) => basename(one)).sort()).toEqual(['MONGODB_URI', ...BACKED_UP].sort());
    // Its log is still available in the morning, and after a weekend.
    expect(ttlSecondsAfterFinished).toBeGreaterThanOrEqual(3 * 86_400);
  });

  test('has an erasure list beside it every few minutes, with the key of that list only', () => {
    const [still, job] = [jobIn(objects, 'erasures'), jobIn(overlay(), 'erasures')];
    expect([still.spec.suspend, job.spec.suspend]).toEqual([true, false]);
    expect(job.spec.schedule).toMatch(/^\*\/\d+ \* \* \* \*$/);
    expect(problemsOf(job)).toEqual([]);
    const { containers, volumes } = job.spec.jobTemplate.spec.template.spec;
    const [{ args, volumeMounts }] = containers;
    expect([args[2], args.at(-1)]).toEqual(['export', '--erasures-only']);
    const at = (name: string) => volumeMounts.find((mount: Any) => mount.name === name);
    expect([dirname(args[3]), at('backup').readOnly]).toEqual([at('backup').mountPath, undefined]);
    expect(secretsIn({ volumes }, containers[0])).toEqual(['jobs/MONGODB_URI', 'auth/TOMBSTONE_KEY', 'ca']);
  });
});
