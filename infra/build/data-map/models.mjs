import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isCallExpression, isNewExpression } from 'typescript/unstable/ast/is';
import { API } from 'typescript/unstable/sync';
import { ROOT } from '../workspaces.mjs';

const SERVICES = path.join(ROOT, 'services');
/** Ways to open a collection, and which argument names it. */
const OPENS = { collection: 0, versionedDocuments: 1 };
/** A file that may open one. */
const MAY_OPEN = /\.collection\b|versionedDocuments|new Schema\b/;

/**
 * What the services store, as their code declares it: the fields of the type that a collection is opened with, or of a mongoose
 * schema.
 * @returns {Map<string, Set<string>>} fields by `service.collection`
 * @throws {Error} naming a collection that is opened without a type anywhere
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
  const untyped = new Set();
  for (const file of sources().filter((file) => MAY_OPEN.test(readFileSync(file, 'utf8')))) {
    const service = path.relative(SERVICES, file).split(path.sep)[0];
    visit(program.getSourceFile(file), (node) => {
      const opened = isNewExpression(node) ? schemaOf(node) : collectionOf(node, checker);
      if (!opened) return;
      const name = `${service}.${opened.name}`;
      if (opened.fields.length === 0) untyped.add(name);
      else found.set(name, new Set([...(found.get(name) ?? []), ...opened.fields]));
    });
  }
  const bare = [...untyped].filter((name) => !found.has(name));
  if (bare.length > 0) throw new Error(`no type says what is stored in ${bare.join(', ')}`);
  return found;

  /** `new Schema<T>({...}, {collection})` */
  function schemaOf(node) {
    if (node.expression.getText() !== 'Schema') return null;
    const [fields, options] = node.arguments ?? [];
    const named = options?.properties?.find((one) => one.name?.getText() === 'collection');
    const name = named && textOf(named.initializer, checker);
    if (!name) return null;
    return { name, fields: fields.properties.map((one) => one.name.getText()) };
  }
}

/** The streams that the manifests name, and that of the dead letters. @returns {Set<string>} */
export function streamNames() {
  const folder = path.join(SERVICES, 'contracts');
  const text = [...sources(path.join(folder, 'manifests')), path.join(folder, 'events/streams.ts')]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  return new Set(text.match(/\bCORD_[A-Z]+\b/g));
}

/** `connection.collection<T>(name)` or `versionedDocuments(connection, name, ...)` */
function collectionOf(node, checker) {
  const called = node.expression.name?.text ?? node.expression.text;
  if (!(called in OPENS)) return null;
  const argument = node.arguments[OPENS[called]];
  const name = argument && textOf(argument, checker);
  if (!name) return null;
  const [written] = node.typeArguments ?? [];
  const type = written
    ? checker.getTypeFromTypeNode(written)
    : checker.getTypeArguments(checker.getTypeAtLocation(node))[0];
  return { name, fields: type ? checker.getPropertiesOfType(type).map((property) => property.name) : [] };
}

/** The text of a literal, or of a constant that is one. */
function textOf(node, checker) {
  const type = checker.getTypeAtLocation(node);
  return typeof type?.value === 'string' ? type.value : null;
}

function visit(node, seen) {
  if (isCallExpression(node) || isNewExpression(node)) seen(node);
  node.forEachChild((child) => {
    visit(child, seen);
  });
}

function sources(folder = SERVICES) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist', 'test', 'testing'].includes(entry.name) ? [] : sources(at);
    return at.endsWith('.ts') && !at.endsWith('.test.ts') ? [at] : [];
  });
}
