import { lt, major, minor, valid } from 'semver';

/**
 * Why the version does not say what the changes are, undefined when it does. By semver a change that breaks raises the major
 * number, and while that is 0 the minor one (https://semver.org, 4 and 8).
 */
export function versionFault(
  released: string,
  current: string,
  { isBreaking }: { readonly isBreaking: boolean },
): string | undefined {
  const unusable = [released, current].find((version) => valid(version) === null);
  if (unusable !== undefined) return `${JSON.stringify(unusable)} is no version such as 1.2.3`;
  if (lt(current, released)) return `the contract is at ${current}, and ${released} was released before`;
  if (!isBreaking || announcesBreak(released, current)) return undefined;
  return `the contract breaks, which ${nextBreaking(released)} may do, but it is at ${current}`;
}

function announcesBreak(released: string, current: string): boolean {
  const isLaterMinor = minor(current) > minor(released);
  return major(current) > major(released) || (major(released) === 0 && isLaterMinor);
}

function nextBreaking(released: string): string {
  return major(released) === 0 ? `0.${minor(released) + 1}.0` : `${major(released) + 1}.0.0`;
}
