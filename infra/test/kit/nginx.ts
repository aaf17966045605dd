import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Debian installs servers outside an ordinary user's PATH. */
export const SERVER_PATH = `${process.env.PATH}:/usr/sbin`;

/** Parts of nginx's configuration. */
interface NginxConfig {
  /** Directives outside any block. */
  main?: string;
  events?: string;
  /** Directives and servers of the `http` block. */
  http: string;
}

/**
 * Starts nginx in the foreground as one process; it may not listen yet when this returns.
 * @param folder an existing one for its configuration, temporary files and `error.log`
 */
export async function startNginx(folder: string, { main = '', events = '', http }: NginxConfig): Promise<ChildProcess> {
  const at = (name: string) => join(folder, name);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${at(of)};`);
  await writeFile(
    at('nginx.conf'),
    `daemon off; master_process off; pid ${at('pid')}; error_log ${at('error.log')}; ${main}
     events { ${events} } http { access_log off; ${temporary.join(' ')} ${http} }`,
  );
  return spawn('nginx', ['-p', folder, '-c', at('nginx.conf'), '-e', at('error.log')], {
    env: { PATH: SERVER_PATH },
    stdio: 'ignore',
  });
}
