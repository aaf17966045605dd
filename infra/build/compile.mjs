import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rspack } from '@rspack/core';

/**
 * Bundles a web package by its own rspack.config.mjs into its dist.
 * @param {string} folder
 * @param {string} buildId tells this build from every other
 * @throws {Error} with the compiler's messages
 */
export async function compile(folder, buildId) {
  const { default: config } = await import(pathToFileURL(path.join(folder, 'rspack.config.mjs')).href);
  const compiler = rspack(config({ buildId }));
  const stats = await new Promise((resolve, reject) => {
    compiler.run((error, result) => compiler.close(() => (error ? reject(error) : resolve(result))));
  });
  if (stats.hasErrors()) throw new Error(`${folder}:\n${stats.toString({ all: false, errors: true, colors: false })}`);
}
