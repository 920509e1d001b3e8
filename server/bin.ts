#!/usr/bin/env node
// The command `sendspec` of the package. An older Node has to be able to read this file, and nothing else before it is told apart.
const NEEDED = { major: 24, minor: 7 };

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < NEEDED.major || (major === NEEDED.major && minor < NEEDED.minor)) {
  console.error(
    `sendspec: needs Node ${NEEDED.major}.${NEEDED.minor} or newer, and this is ${process.version} (${process.execPath}). Install a newer one from https://nodejs.org, or try it at once: npx --package node@${NEEDED.major} --package sendspec sendspec`,
  );
  process.exitCode = 1;
} else {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { runCli } = await import('./cli.ts');
  process.exitCode = await runCli(process.argv.slice(2));
}

export {};
