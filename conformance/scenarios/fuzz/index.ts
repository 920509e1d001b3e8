import { operations } from '../../contract/document.ts';
import type { Check } from '../../suite/check.ts';
import { accountStages } from './account-stages.ts';
import { fuzzChecks } from './checks.ts';
import { mailStages } from './mail-stages.ts';
import { sessionStages } from './session-stages.ts';
import { webhookStages } from './webhook-stages.ts';

const STAGES = { ...accountStages, ...mailStages, ...sessionStages, ...webhookStages };

/** Every operation, with requests made from the contract: good ones, and bad ones of every kind. */
export const fuzz: readonly Check[] = operations.flatMap((operation) =>
  fuzzChecks(operation, STAGES[operation.id]),
);
