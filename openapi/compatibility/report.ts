import { type Finding, RULES } from './finding.ts';

const USES_SHOWN = 4;

/** The findings as text: what, where, for whom and why. */
export function describe(findings: readonly Finding[], released: string): string {
  if (findings.length === 0) return `Nothing breaks against ${released}.`;
  const changes = findings.length === 1 ? '1 change breaks' : `${findings.length} changes break`;
  return [`Against ${released} ${changes}:`, ...findings.map(entry)].join('\n\n');
}

function entry({ rule, place, what, who, uses }: Finding): string {
  return [
    `${place}: ${what}`,
    `  ${rule}, for ${who}. ${RULES[rule]}`,
    `  In ${uses.slice(0, USES_SHOWN).join(', ')}${uses.length > USES_SHOWN ? ` and ${uses.length - USES_SHOWN} more` : ''}.`,
  ].join('\n');
}
