// Fails when a test was skipped, left as a todo, or when no test ran at all: a skip reads as green and proves nothing.
import { readFileSync } from 'node:fs';

const file = process.argv[2] ?? 'dist/test-report.json';
const report = JSON.parse(readFileSync(file, 'utf8'));
const skipped = report.numPendingTests + report.numTodoTests;
console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed, ${skipped} skipped`);
if (report.numPassedTests === 0 || report.numFailedTests > 0 || skipped > 0) {
  console.error(`${file}: every test has to run and pass`);
  process.exit(1);
}
