import { accepted, mail } from '../../suite/sending.ts';
import type { Tester } from '../../suite/tester.ts';
import { type Filters, periodOf } from './log.ts';

/** A filter, and what it has to find among the messages that were sent for it. */
export interface FilterCase {
  /** What the list breaks when it finds something else. */
  readonly requirement: string;
  readonly filters: Filters;
  readonly expected: readonly string[];
  readonly what: string;
}

/** Messages that differ in every field, and a case for each way to tell them apart. */
export interface FilterCases {
  readonly ids: readonly string[];
  readonly cases: readonly FilterCase[];
}

const TEXTS = 'conventions.text-filters-contain';
const ADDRESSES = 'conventions.address-filters-whole';

/** Sends two messages; each text of the one is a part of that of the other, or differs from it. */
export async function filterCases(t: Tester): Promise<FilterCases> {
  const custom = t.unique('Order');
  const mark = t.unique('mark');
  const recipient = t.address();
  const [senderName, domain] = [t.unique('sender'), t.tenant.fromEmail.split('@')[1]];
  const from = `${senderName}@${domain}`;
  const subject = `Spring Sale ${mark}`;
  const ids = await accepted(t, [
    mail(t, { custom_id: custom, from: { email: from }, to: [{ email: recipient }], subject }),
    mail(t, {
      custom_id: `${custom}-more`,
      from: { email: `x${from}` },
      to: [{ email: `x${recipient}` }],
      subject: `Summer Sale ${mark}`,
    }),
  ]);
  const [one = '', other = ''] = ids;
  const period = await periodOf(t, ids);
  const wanted = (requirement: string, what: string, filters: Filters, expected: readonly string[]) => ({
    requirement,
    what,
    filters: { ...filters, ...period },
    expected,
  });
  const cases = [
    wanted('messages.filter-by-message-id', 'its id', { message_id: one }, [one]),
    wanted('messages.filter-by-custom-id', 'its custom ID', { message_custom_id: custom }, [one]),
    wanted('sending.custom-id-searchable', 'its custom ID', { message_custom_id: `${custom}-more` }, [other]),
    wanted(TEXTS, 'its custom ID in other letters', { message_custom_id: custom.toLowerCase() }, []),
    wanted('messages.filter-by-recipient', 'its recipient', { recipient_email: recipient }, [one]),
    wanted(ADDRESSES, 'its recipient in capitals', { recipient_email: recipient.toUpperCase() }, [one]),
    wanted('messages.filter-by-from', 'its sender', { from_email: from }, [one]),
    wanted(ADDRESSES, 'its sender in capitals', { from_email: from.toUpperCase() }, [one]),
    wanted('messages.filter-by-subject', 'its subject', { subject }, [one]),
    wanted(TEXTS, 'a part of both subjects', { subject: `Sale ${mark}` }, ids),
    wanted(TEXTS, 'a part of its subject in other letters', { subject: `sUMMER sALE ${mark}` }, [other]),
  ];
  return { ids, cases };
}
