import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { badgeOf } from './badge.ts';
import { renderHtml } from './html/page.ts';
import { renderJunit } from './junit.ts';
import type { Report, ReportedExchange } from './model.ts';
import { clipped } from './text.ts';
import { wfcReportOf } from './wfc.ts';

/** The reports cannot be written: where, and why. */
export class ReportError extends Error {
  constructor(directory: string, problem: string, options?: ErrorOptions) {
    super(`${directory}: ${problem}`, options);
    this.name = 'ReportError';
  }
}

const LONGEST_BODY = 100_000;

const PROBLEMS: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission to write there; choose another folder or change its permissions',
  EPERM: 'there is no permission to write there; choose another folder',
  EROFS: 'it is read-only; choose another folder',
  EEXIST: 'it is a file; name a folder',
  ENOTDIR: 'a part of the path is a file; name a folder',
  ENOSPC: 'no space is left',
  EISDIR: 'a folder has the name of a report; remove it',
};

/**
 * Writes report.json, junit.xml, report.html, badge.json and wfc-report.json into the folder, which is made when it is missing.
 * Each file is replaced as a whole, so that nobody reads half of one.
 * @throws ReportError when the folder cannot be written.
 */
export async function writeReports(report: Report, directory: string): Promise<void> {
  const files = {
    'report.json': json(withShortBodies(report)),
    'junit.xml': renderJunit(report),
    'report.html': renderHtml(report),
    'badge.json': json(badgeOf(report)),
    'wfc-report.json': json(wfcReportOf(report)),
  };
  try {
    await mkdir(directory, { recursive: true });
    for (const [name, content] of Object.entries(files)) await replace(join(directory, name), content);
  } catch (cause) {
    throw new ReportError(directory, `the reports cannot be written: ${problemOf(cause)}`, { cause });
  }
}

async function replace(file: string, content: string): Promise<void> {
  const draft = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await writeFile(draft, content);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function withShortBodies(report: Report): Report {
  const shortened = (exchange: ReportedExchange): ReportedExchange => {
    const { request, response } = exchange;
    return {
      ...exchange,
      request: { ...request, body: request.body === null ? null : clipped(request.body, LONGEST_BODY) },
      response: response && { ...response, body: clipped(response.body, LONGEST_BODY) },
    };
  };
  const checks = report.checks.map((check) => ({
    ...check,
    violations: check.violations.map((each) => ({ ...each, exchanges: each.exchanges.map(shortened) })),
  }));
  return { ...report, checks };
}

function problemOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code = 'code' in cause ? String(cause.code) : '';
  return PROBLEMS[code] ?? cause.message;
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
