import { randomUUID } from 'node:crypto';
import { type OperationId, type OperationsWith, operations } from '../../../generated/operations.ts';
import type { Answer } from '../../suite/answer.ts';
import type { LooseCall, Tester } from '../../suite/tester.ts';
import { profilesOf } from '../../target/target.ts';

type Security = (typeof operations)[OperationId]['security'];

/** The operations that the target claims and that ask for credentials of this kind. */
export function guardedBy<Kind extends Security>(
  t: Tester,
  ...kinds: readonly Kind[]
): readonly OperationsWith<'security', Kind>[] {
  const withExtensions = profilesOf(t.target).includes('extensions');
  const isAsked = (id: OperationId): id is OperationsWith<'security', Kind> =>
    kinds.some((kind) => kind === operations[id].security) &&
    (withExtensions || operations[id].origin === 'core');
  return Object.keys(operations)
    .map((id) => id as OperationId)
    .filter(isAsked);
}

/** Calls an operation about nothing that exists: whoever is let in is told so, and nothing happens. */
export function callAboutNothing(t: Tester, operation: OperationId, call: LooseCall): Promise<Answer> {
  const names = operations[operation].path.match(/(?<=\{)\w+(?=\})/g) ?? [];
  const path = Object.fromEntries(names.map((name) => [name, randomUUID()]));
  return t.call(operation, { path, ...call });
}
