import { type Evidence, extraCopies, type Finding } from './audit.ts';
import type { ChaosReport } from './chaos.ts';
import type { Member } from './fleet.ts';
import type { Receiver } from './receiver.ts';

export interface ReportParts {
  evidence: Evidence;
  members: readonly Member[];
  receiver: Receiver;
  chaos: ChaosReport;
  findings: readonly Finding[];
  loadSeconds: number;
}

/** What was done, what came of it, and what is wrong, for people. */
export async function renderReport({
  evidence,
  members,
  receiver,
  chaos,
  findings,
  loadSeconds,
}: ReportParts): Promise<string> {
  const { client, ledger, copies, cuts } = evidence;
  const { rows } = await client.query<{ delivery_status: string; messages: string }>(
    'select delivery_status, count(*) as messages from messages group by 1 order by 1',
  );
  const kills = members.map((member) => `${member.name} ${member.kills.length}`).join(', ');
  const blows = members.reduce((sum, member) => sum + member.kills.length, 0);
  const repeated = [...receiver.arrivals.values()].filter(({ times }) => times > 1).length;
  const lines = [
    `kill -9: ${blows} (${kills}); PostgreSQL: ${chaos.databaseCrashes} crashes, ${chaos.databaseRestarts} restarts; the sink cut off: ${cuts} times`,
    `accepted: ${ledger.acceptedCount} in ${loadSeconds.toFixed(0)} s, ${ledger.acceptedUnseen.size} of them known only from asking again; requests repeated: ${ledger.repeated}`,
    `in the log: ${rows.map((row) => `${row.delivery_status} ${row.messages}`).join(', ')}`,
    `at the sink: ${copies.length} copies, ${extraCopies(copies).length} of them sent again`,
    `at the receiver of notifications: ${receiver.arrivals.size}, ${repeated} of them more than once; refused ${receiver.refused} times`,
  ];
  const verdict =
    findings.length === 0
      ? [
          'Nothing was lost, nothing is stuck, and only what was in delivery at a kill, or unanswered at a cut, was sent again.',
        ]
      : findings.map(({ what, count, examples }) => [`WRONG, ${count}: ${what}`, ...examples].join('\n    '));
  return [...lines, ...verdict].join('\n');
}
