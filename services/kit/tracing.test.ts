import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isTracingEnabled, withSpan } from './tracing.js';

/** What a process of ours loads of OpenTelemetry by the time that it would begin to trace. */
async function loadedIn(module: string, env: Record<string, string>): Promise<string[]> {
  const hook = `export async function resolve(name, context, next) {
    if (name.startsWith('@opentelemetry')) console.log(name);
    return next(name, context);
  }`;
  const program = `
    import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hook)}));
    await import('@cord/kit/${module}');
    const { startTracing, stopTracing } = await import('@cord/kit/tracing');
    await startTracing('tasks', 'test');
    await stopTracing('tasks');`;
  const cwd = new URL('.', import.meta.url);
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
  });
  return stdout.split('\n').filter(Boolean);
}

describe('OpenTelemetry', () => {
  it('is off and not loaded until the environment names a collector', async () => {
    const [off, on] = await Promise.all([
      loadedIn('service', {}),
      loadedIn('tracing', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }),
    ]);
    expect(off).toEqual([]);
    expect(on).toContain('@opentelemetry/sdk-trace-node');
  });

  it('stays off when it is disabled, and a step then only runs its work', async () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318';
    expect(isTracingEnabled({ OTEL_EXPORTER_OTLP_ENDPOINT })).toBe(true);
    expect(isTracingEnabled({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBe(false);
    expect(await withSpan('tasks', { name: 'a step', kind: 'server' }, async (span) => span)).toBeUndefined();
  });
});
