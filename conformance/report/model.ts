/**
 * The report of a conformance run: what report.json holds, and all that the other formats are made from.
 * Plain data, ready for JSON, with every secret already redacted. report.schema.json says the same to other
 * languages; a change that a reader could trip over raises SCHEMA_VERSION.
 */

/** Version of report.json; raised when a reader of the older form would misread the newer one. */
export const SCHEMA_VERSION = 1;

export type Profile = 'core' | 'extensions';

/** MUST: a sentence of the service description; DERIVED: follows from the contract; OPEN: never fails, informs. */
export type Level = 'MUST' | 'DERIVED' | 'OPEN';

export type Verdict = 'conformant' | 'not_conformant' | 'partial' | 'error';

/** 0 conformant, 1 a violation, 2 the suite or its configuration failed, 3 something declared was not tested. */
export type ExitCode = 0 | 1 | 2 | 3;

export type RequirementOutcome = 'passed' | 'failed' | 'untested' | 'informed' | 'error';

export type CheckOutcome = 'passed' | 'failed' | 'untested' | 'error';

export interface Report {
  readonly schema_version: typeof SCHEMA_VERSION;
  /** The suite that judged. */
  readonly suite: { readonly name: string; readonly version: string };
  /** The document that was judged against: `info` of OpenAPI and the digest of its bytes. */
  readonly contract: { readonly title: string; readonly version: string; readonly sha256: string };
  /** The implementation that was judged, as its target file names it. */
  readonly implementation?: { readonly name: string; readonly version: string };
  readonly target: ReportTarget;
  readonly seed: number;
  /** What `--only` asked for; null for a whole run. */
  readonly selection: readonly string[] | null;
  /** RFC 3339, UTC. */
  readonly started_at: string;
  readonly duration_ms: number;
  /** Requests sent, repeats after a 429 included. */
  readonly requests: number;
  readonly verdict: Verdict;
  readonly exit_code: ExitCode;
  /** Why the run as a whole could not judge (unreachable, no check ran), for people. */
  readonly error?: string;
  readonly summary: ReportSummary;
  readonly requirements: readonly RequirementResult[];
  readonly checks: readonly CheckResult[];
  readonly coverage: { readonly operations: readonly OperationCoverage[] };
  readonly baseline?: BaselineResult;
}

export interface ReportTarget {
  readonly base_url: string;
  readonly profiles: readonly Profile[];
  /** Optional parts of a target file ('second_tenant', 'simulator.open', 'clock'): declared or not. */
  readonly parts: Readonly<Record<string, boolean>>;
}

export interface ReportSummary {
  readonly requirements: Readonly<Record<RequirementOutcome, number>>;
  readonly checks: Readonly<Record<CheckOutcome, number>>;
}

export interface RequirementResult {
  /** `<area>.<rule>`, the same for ever. */
  readonly id: string;
  readonly level: Level;
  readonly profile: Profile;
  /** Where the requirement stands, and its sentence word for word. */
  readonly source: { readonly section: string; readonly quote: string };
  /** operationIds; none means all. */
  readonly operations: readonly string[];
  /** Ids of the checks that decide it. */
  readonly checks: readonly string[];
  readonly outcome: RequirementOutcome;
  /** How many violations cite it, those that `checks` does not hold in full included. */
  readonly violations: number;
  /** What was seen (OPEN), or why it could not be tested. */
  readonly notes: readonly string[];
}

export interface CheckResult {
  /** `<scenario file>/<name>`. */
  readonly id: string;
  readonly title: string;
  readonly outcome: CheckOutcome;
  readonly duration_ms: number;
  readonly requests: number;
  /** Why it is untested, or which fault of the suite stopped it. */
  readonly reason?: string;
  readonly violations: readonly Violation[];
}

export interface Violation {
  /** Id of the requirement that is broken. */
  readonly requirement: string;
  /** What was expected and what came instead, for people. */
  readonly message: string;
  /** The requests that show it, oldest first; the last one is the telling one. */
  readonly exchanges: readonly ReportedExchange[];
  /** The smallest input that still fails, where inputs were generated. */
  readonly shrunk?: ShrunkCase;
  /** A command that runs the case again. */
  readonly replay: string;
}

export interface ReportedExchange {
  /** Which operation of the contract it is, where it is one. */
  readonly operation_id?: string;
  readonly request: ReportedRequest;
  /** null when no response came: `fault` says why. */
  readonly response: ReportedResponse | null;
  /** What the transport said: connection refused, timed out, reset. */
  readonly fault?: string;
  /** It is a notification: the server sent the request, the suite answered it. */
  readonly is_notification?: true;
}

export interface ReportedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface ReportedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ShrunkCase {
  /** The input, printed. */
  readonly case: string;
  readonly seed: number;
  /** fast-check's path to the case. */
  readonly path: string;
}

export interface OperationCoverage {
  readonly operation_id: string;
  readonly method: string;
  /** Path template of the contract. */
  readonly path: string;
  readonly requests: number;
  /** Status that came -> how often. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly documented_statuses: readonly string[];
  /** Parameter of the contract -> requests that carried it; 0 for one never sent. */
  readonly parameters: Readonly<Record<string, number>>;
}

export interface BaselineResult {
  /** The file as it was given. */
  readonly file: string;
  /** Listed and failing: does not fail the run. */
  readonly known: readonly { readonly id: string; readonly reason?: string }[];
  /** Failing and not listed: fails the run. */
  readonly new: readonly string[];
  /** Listed and passing: fails the run, so that the list stays true. */
  readonly now_passing: readonly string[];
}
