import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rspack } from '@rspack/core';

/**
 * Bundles a web package by its own rspack.config.mjs into its dist.
 * @param {string} folder
 * @param {{buildId: string, version?: string}} build what tells it from every other, and what it is published as
 * @throws {Error} with the compiler's messages
 */
export async function compile(folder, build) {
  const { default: config } = await import(pathToFileURL(path.join(folder, 'rspack.config.mjs')).href);
  const compiler = rspack(config(build));
  const stats = await new Promise((resolve, reject) => {
    compiler.run((error, result) => compiler.close(() => (error ? reject(error) : resolve(result))));
  });
  if (stats.hasErrors()) throw new Error(`${folder}:\n${stats.toString({ all: false, errors: true, colors: false })}`);
}
