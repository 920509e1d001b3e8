import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Excluded, type Read, type Requirement, readExcluded, readRequirement } from './requirement.ts';

export type { Requirement } from './requirement.ts';

/** Everything that a server can be held to, and which check decides what. */
export interface Catalogue {
  readonly requirements: readonly Requirement[];
  /** Sentences of the service description that no check decides. */
  readonly excluded: readonly Excluded[];
  /** The requirement of this id; undefined when there is none. */
  requirement(id: string): Requirement | undefined;
  /** What a check decides. */
  requirementsOf(checkId: string): readonly Requirement[];
  /** Where the catalogue and the checks in code do not fit together, a line for each fault; none: they do. */
  verifyChecks(checkIds: readonly string[]): readonly string[];
}

/** The catalogue cannot be used as it is. The message says, for every fault, which file and entry, and what is wrong. */
export class CatalogueError extends Error {
  constructor(folder: string, faults: readonly string[]) {
    super(
      [`The requirements in ${folder} cannot be used:`, ...faults.map((fault) => `  - ${fault}`)].join('\n'),
    );
  }
}

/** An entry, and where it stands, for people. */
interface Entry<T> {
  readonly where: string;
  readonly value: T;
}

const EXCLUDED = 'excluded.yaml';
const EVERY_CHECK = '*';

/**
 * Reads every requirement of a folder, by default that of this suite: a YAML file for each area, and excluded.yaml.
 * @throws CatalogueError with every fault.
 */
export function loadCatalogue(folder: string = import.meta.dirname): Catalogue {
  const faults: string[] = [];
  const files = filesOf(folder);
  const requirements = files
    .filter((file) => file !== EXCLUDED)
    .flatMap((file) => entriesOf(folder, file, (entry) => readRequirement(entry, areaOf(file)), faults));
  const excluded = files.includes(EXCLUDED) ? entriesOf(folder, EXCLUDED, readExcluded, faults) : [];
  if (requirements.length === 0 && faults.length === 0) faults.push('there is no requirement in any *.yaml');
  faults.push(...repeatedIds(requirements), ...quotedAllTheSame(requirements, excluded));
  if (faults.length > 0) throw new CatalogueError(folder, faults);
  return catalogueOf(
    requirements.map(({ value }) => value),
    excluded.map(({ value }) => value),
  );
}

/** Whether a check is among those that decide a requirement. */
export function decides(checkId: string, requirement: Requirement): boolean {
  return requirement.checks.some((pattern) => matches(pattern, checkId));
}

function catalogueOf(requirements: readonly Requirement[], excluded: readonly Excluded[]): Catalogue {
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  return {
    requirements,
    excluded,
    requirement: (id) => byId.get(id),
    requirementsOf: (checkId) => requirements.filter((requirement) => decides(checkId, requirement)),
    verifyChecks: (checkIds) => [
      ...withoutCode(requirements, checkIds),
      ...withoutRequirement(requirements, checkIds),
    ],
  };
}

function withoutCode(requirements: readonly Requirement[], checkIds: readonly string[]): string[] {
  return requirements.flatMap(({ id, checks }) =>
    checks
      .filter((pattern) => !checkIds.some((checkId) => matches(pattern, checkId)))
      .map((pattern) => `${id} names the check ${pattern}, which is not in conformance/scenarios`),
  );
}

// What every check decides says nothing about what this one is for.
function withoutRequirement(requirements: readonly Requirement[], checkIds: readonly string[]): string[] {
  const patterns = requirements.flatMap(({ checks }) => checks).filter((pattern) => pattern !== EVERY_CHECK);
  return checkIds.flatMap((checkId, index) => [
    ...(patterns.some((pattern) => matches(pattern, checkId))
      ? []
      : [`no requirement names the check ${checkId}`]),
    ...(checkIds.indexOf(checkId) < index ? [`two checks have the id ${checkId}`] : []),
  ]);
}

function matches(pattern: string, checkId: string): boolean {
  if (!pattern.includes('*')) return pattern === checkId;
  // The form of an entry lets no other character through that a regular expression would read otherwise.
  return new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(checkId);
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.yaml'))
      .sort();
  } catch (error) {
    throw new CatalogueError(folder, [`the folder cannot be read: ${reasonOf(error)}`]);
  }
}

function areaOf(file: string): string {
  return file.slice(0, -'.yaml'.length);
}

function entriesOf<T>(
  folder: string,
  file: string,
  read: (entry: unknown) => Read<T>,
  faults: string[],
): Entry<T>[] {
  const list = listOf(folder, file, faults);
  return list.flatMap((entry, index) => {
    const where = `${file}, ${nameOf(entry, index)}`;
    const result = read(entry);
    if ('value' in result) return [{ where, value: result.value }];
    faults.push(...result.faults.map((fault) => `${where}: ${fault}`));
    return [];
  });
}

function listOf(folder: string, file: string, faults: string[]): readonly unknown[] {
  try {
    const list: unknown = parse(readFileSync(join(folder, file), 'utf8'));
    if (Array.isArray(list)) return list;
    faults.push(`${file}: must be a list of entries`);
  } catch (error) {
    faults.push(`${file}: cannot be read as YAML: ${reasonOf(error)}`);
  }
  return [];
}

function nameOf(entry: unknown, index: number): string {
  const hasId = typeof entry === 'object' && entry !== null && 'id' in entry && typeof entry.id === 'string';
  return hasId ? `entry ${index + 1} (${entry.id})` : `entry ${index + 1}`;
}

function repeatedIds(requirements: readonly Entry<Requirement>[]): string[] {
  const first = new Map<string, string>();
  return requirements.flatMap(({ where, value: { id } }) => {
    const other = first.get(id);
    if (other === undefined) first.set(id, where);
    return other === undefined ? [] : [`${where}: the id is that of ${other} already`];
  });
}

function quotedAllTheSame(
  requirements: readonly Entry<Requirement>[],
  excluded: readonly Entry<Excluded>[],
): string[] {
  return excluded.flatMap(({ where, value }) => {
    const isSame = ({ source }: Requirement): boolean =>
      source.section === value.section && source.quote === value.quote;
    const quoting = requirements.find((requirement) => isSame(requirement.value));
    return quoting === undefined ? [] : [`${where}: is excluded, and quoted by ${quoting.value.id}`];
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
