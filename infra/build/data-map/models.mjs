import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isCallExpression } from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';
import { sourceFiles } from '../source-files.mjs';
import { ROOT } from '../workspaces.mjs';

const SERVICES = path.join(ROOT, 'services');
/** A file that may declare a collection. */
const MAY_DECLARE = /\bcollection</;

/**
 * What the services store, as their code declares it: the fields of the type of a collection's documents.
 * @returns {Map<string, Set<string>>} fields by `service.collection`
 */
export function storedFields() {
  const compiler = new API({ cwd: ROOT });
  try {
    const [project] = compiler.updateSnapshot({ openProjects: [path.join(ROOT, 'tsconfig.node.json')] }).getProjects();
    return fieldsIn(project);
  } finally {
    compiler.close();
  }
}

/** @param {import('typescript/unstable/sync').Project} project */
function fieldsIn({ program, checker }) {
  const found = new Map();
  for (const file of sources().filter((file) => MAY_DECLARE.test(readFileSync(file, 'utf8')))) {
    const service = path.relative(SERVICES, file).split(path.sep)[0];
    visit(program.getSourceFile(file), (node) => {
      const declared = declaredBy(node, checker);
      if (!declared) return;
      const name = `${service}.${declared.name}`;
      found.set(name, new Set([...(found.get(name) ?? []), ...declared.fields]));
    });
  }
  return found;
}

/** The streams that the manifests name, and that of the dead letters. @returns {Set<string>} */
export function streamNames() {
  const folder = path.join(SERVICES, 'contracts');
  const text = [...sources(path.join(folder, 'manifests')), path.join(folder, 'events/streams.ts')]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  return new Set(text.match(/\bCORD_[A-Z]+\b/g));
}

/** `collection<T>({ name })` of the kit, or, of what the kit stores itself, `store.collection<T>(name)` */
function declaredBy(node, checker) {
  const called = node.expression.name?.text ?? node.expression.text;
  const [type] = node.typeArguments ?? [];
  if (called !== 'collection' || !type) return null;
  const [argument] = node.arguments;
  const named = argument.properties?.find((one) => one.name?.text === 'name')?.initializer ?? argument;
  const name = checker.getTypeAtLocation(named)?.value;
  if (typeof name !== 'string') return null;
  const fields = checker.getPropertiesOfType(checker.getTypeFromTypeNode(type)).map((property) => property.name);
  return { name, fields };
}

function visit(node, seen) {
  if (isCallExpression(node)) seen(node);
  node.forEachChild((child) => {
    visit(child, seen);
  });
}

function sources(folder = SERVICES) {
  const files = sourceFiles(['**/*.ts', '!**/*.test.ts', '!**/{test,testing}/**'], folder);
  return files.map((file) => path.join(folder, file));
}
