// Runs commands side by side: node .ci/side-by-side.js 'npm run types' 'npm run lint'
// What one writes appears as a whole when it has ended, those that failed last; the exit code is 1 when there is one.
import { spawn } from 'node:child_process';

const results = await Promise.all(process.argv.slice(2).map(run));
const failed = results.filter(({ code }) => code !== 0);
for (const { output } of failed) process.stderr.write(output);
for (const { command, code } of failed) console.error(`\n${command} failed with ${code}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function run(command) {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = `\n> ${command}\n`;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      if (code === 0) process.stdout.write(output);
      resolve({ command, output, code: code ?? signal });
    });
  });
}
