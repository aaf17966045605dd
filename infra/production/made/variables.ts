import { VARIABLES } from '../../../services/kit/variables.ts';

const HEAD = `# Every variable

Made by \`npx cord manifests\` from [services/kit/variables.ts](../../services/kit/variables.ts): change that, which the start, the services, the gateway and the files of a deployment take it from.

\`start\` is \`npm start\`; who runs services and gateway by themselves sets what they read. What is bad, missing or refused in a mode stops the process and is named, all of it at once; so does a name that begins with \`CORD_\`
and is none of these. Other names that look like ours and that nothing reads are named, by a start on its screen, by services and gateway in their logs. A secret
may stand in a file instead, which \`NAME_FILE\` names, or in a file \`NAME\` of the folder that SECRETS_DIR names (of SESSION_SECRET and KEY_ENCRYPTION_KEY auth reads it again when it changes); both at once are refused. \`OTEL_*\` goes to every process as it is.

| variable | meaning | default | read by | secret |
| --- | --- | --- | --- | --- |
`;

/** Returns the page of variables, infra/dev/ENVIRONMENT.md. */
export function variablesPage(): string {
  const rows = Object.entries(VARIABLES).map(
    ([name, { by, fallback, meaning, secret }]) =>
      `| ${name} | ${meaning} | ${fallback} | ${by.join(', ')} | ${secret ? 'yes' : ''} |\n`,
  );
  return (HEAD + rows.join('')).replaceAll('|  |', '| |');
}
