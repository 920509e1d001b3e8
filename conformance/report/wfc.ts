import { checksById, reasonsOf, type SeenViolation } from './failures.ts';
import type { OperationCoverage, Report } from './model.ts';
import { type FaultCategory, faultCategoryOf } from './wfc-faults.ts';

// The report of Web Fuzzing Commons (schema 0.8.0), which tools that compare fuzzers read.

interface Fault extends FaultCategory {
  readonly context: string;
}

interface FoundFault {
  readonly operationId: string;
  readonly testCaseId: string;
  readonly faultCategories: readonly Fault[];
}

/** wfc-report.json. */
export interface WfcReport {
  readonly schemaVersion: string;
  readonly toolName: string;
  readonly toolVersion: string;
  readonly creationTime: string;
  readonly executionTimeInSeconds: number;
  readonly faults: { readonly totalNumber: number; readonly foundFaults: readonly FoundFault[] };
  readonly problemDetails: {
    readonly rest: {
      readonly outputHttpCalls: number;
      readonly evaluatedHttpCalls: number;
      readonly endpointIds: readonly string[];
      readonly coveredHttpStatus: readonly {
        readonly endpointId: string;
        readonly testCaseId: string;
        readonly httpStatus: readonly number[];
      }[];
    };
  };
  readonly totalTests: number;
  readonly testFilePaths: readonly string[];
  readonly testCases: readonly { readonly id: string; readonly name: string }[];
  readonly extra: readonly {
    readonly toolName: string;
    readonly criteria: readonly { readonly name: string; readonly covered: number; readonly total: number }[];
  }[];
  readonly warnings: readonly { readonly message: string; readonly category: string }[];
}

// Statuses are counted over the whole run, and the format asks which case saw them.
const WHOLE_RUN = { id: 'run', name: 'Every request of the run' } as const;

/** The report in the form of Web Fuzzing Commons: a case for each check, a fault for each broken requirement. */
export function wfcReportOf(report: Report): WfcReport {
  const { operations } = report.coverage;
  const foundFaults = foundFaultsOf(report);
  const faults = foundFaults.flatMap(({ faultCategories }) => faultCategories);
  const testCases = [...report.checks.map(({ id, title }) => ({ id, name: title })), WHOLE_RUN];
  return {
    schemaVersion: '0.8.0',
    toolName: report.suite.name,
    toolVersion: report.suite.version,
    creationTime: new Date(Date.parse(report.started_at) + report.duration_ms).toISOString(),
    executionTimeInSeconds: Math.round(report.duration_ms / 1000),
    faults: {
      totalNumber: new Set(faults.map(({ code, context }) => `${code} ${context}`)).size,
      foundFaults,
    },
    problemDetails: {
      rest: {
        outputHttpCalls: report.requests,
        evaluatedHttpCalls: report.requests,
        endpointIds: operations.map(endpointId),
        coveredHttpStatus: operations
          .filter(({ requests }) => requests > 0)
          .map((operation) => ({
            endpointId: endpointId(operation),
            testCaseId: WHOLE_RUN.id,
            httpStatus: statusesOf(operation),
          })),
      },
    },
    totalTests: testCases.length,
    testFilePaths: [],
    testCases,
    extra: [{ toolName: report.suite.name, criteria: criteriaOf(operations) }],
    warnings: warningsOf(report),
  };
}

function foundFaultsOf(report: Report): FoundFault[] {
  const endpoints = new Map(report.coverage.operations.map((each) => [each.operation_id, endpointId(each)]));
  const about = new Map(report.requirements.map(({ id, operations }) => [id, operations]));
  const seen = report.checks.flatMap((check) => check.violations.map((violation) => ({ check, violation })));
  const endpointOf = ({ violation: { requirement, exchanges } }: SeenViolation): string => {
    const telling = exchanges.findLast(({ is_notification }) => is_notification !== true);
    const named = [telling?.operation_id, ...(about.get(requirement) ?? [])];
    const known = named.map((id) => id && endpoints.get(id)).find((endpoint) => endpoint !== undefined);
    if (known) return known;
    return telling ? `${telling.request.method}:${pathOf(telling.request.url)}` : 'ANY:/v1';
  };
  const places = Map.groupBy(seen, (each) => JSON.stringify([endpointOf(each), each.check.id]));
  return [...places.values()].flatMap((members) => {
    const [first] = members;
    if (!first) return [];
    const faults = members.map(({ violation }): Fault => {
      return { ...faultCategoryOf(violation), context: violation.requirement };
    });
    const distinct = new Map(faults.map((fault) => [`${fault.code} ${fault.context}`, fault]));
    return [
      { operationId: endpointOf(first), testCaseId: first.check.id, faultCategories: [...distinct.values()] },
    ];
  });
}

function endpointId({ method, path }: OperationCoverage): string {
  return `${method.toUpperCase()}:${path}`;
}

/** Without those that the format has no room for. */
function statusesOf({ statuses }: OperationCoverage): number[] {
  return Object.keys(statuses)
    .map(Number)
    .filter((status) => Number.isInteger(status) && status >= 0 && status <= 599);
}

function criteriaOf(operations: readonly OperationCoverage[]): WfcReport['extra'][number]['criteria'] {
  const documented = operations.flatMap(({ statuses, documented_statuses }) =>
    documented_statuses.map((status) => (statuses[status] ?? 0) > 0),
  );
  const parameters = operations.flatMap((each) => Object.values(each.parameters).map((count) => count > 0));
  const called = operations.map(({ requests }) => requests > 0);
  return Object.entries({ operations: called, documented_statuses: documented, parameters }).map(
    ([name, seen]) => ({
      name,
      covered: seen.filter(Boolean).length,
      total: seen.length,
    }),
  );
}

function warningsOf(report: Report): WfcReport['warnings'] {
  const checks = checksById(report);
  const undecided = report.requirements.filter(
    ({ outcome }) => outcome === 'untested' || outcome === 'error',
  );
  return [
    ...(report.error ? [{ message: report.error, category: 'error' }] : []),
    ...undecided.map((requirement) => ({
      message: [requirement.id, ...reasonsOf(requirement, checks)].join(': '),
      category: requirement.outcome,
    })),
  ];
}

function pathOf(url: string): string {
  return URL.parse(url)?.pathname ?? '/';
}
