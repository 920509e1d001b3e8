import { CLASS_IN, type DnsQuery, type DnsReply, RCODE, TYPE } from './wire.ts';
import {
  type RecordData,
  type SoaData,
  ZONE_TTL_SECONDS,
  type ZoneFacts,
  type ZoneKey,
  zoneRecords,
} from './zone.ts';

/** The zone, ready to be asked. */
export interface Zone {
  apex: string;
  soa: SoaData;
  /** By name, in lower case; an empty list for a name that only has others below it. */
  records: ReadonlyMap<string, readonly RecordData[]>;
}

// A domain that has just been created must not stay unknown for long.
const NEGATIVE_TTL_SECONDS = 60;
const DAY_SECONDS = 86_400;
const SOA_SHAPE = {
  refresh: DAY_SECONDS,
  retry: 7200,
  expire: 14 * DAY_SECONDS,
  minimum: NEGATIVE_TTL_SECONDS,
};

/** Puts the zone together. The mail name is its top and its only name server. */
export function buildZone(facts: ZoneFacts, keys: readonly ZoneKey[], serial: number): Zone {
  const apex = facts.mailHostname.toLowerCase();
  const soa: SoaData = { type: 'SOA', host: apex, mailbox: `hostmaster.${apex}`, serial, ...SOA_SHAPE };
  const records = new Map<string, RecordData[]>([[apex, [soa, { type: 'NS', host: apex }]]]);
  for (const { name, data } of zoneRecords(facts, keys)) {
    const key = name.toLowerCase();
    for (let above = parentOf(key); !records.has(above); above = parentOf(above)) records.set(above, []);
    records.set(key, [...(records.get(key) ?? []), data]);
  }
  return { apex, soa, records };
}

/** What a sound question is answered: from the zone alone, and nothing but refusals outside of it. Nobody else is ever asked. */
export function answerFrom(zone: Zone, { question, fault }: DnsQuery): DnsReply {
  if (fault !== RCODE.NOERROR) return refusal(fault);
  if (question === undefined) return refusal(RCODE.FORMERR);
  const { name, type } = question;
  const isOurs = name === zone.apex || name.endsWith(`.${zone.apex}`);
  // Nobody copies the zone: sending domains are the customers of this service.
  if (!isOurs || question.class !== CLASS_IN || type === TYPE.AXFR || type === TYPE.IXFR) {
    return refusal(RCODE.REFUSED);
  }
  const records = zone.records.get(name);
  const none = { name: zone.apex, data: zone.soa, ttl: NEGATIVE_TTL_SECONDS };
  if (records === undefined) {
    return { rcode: RCODE.NXDOMAIN, authoritative: true, answers: [], authority: none };
  }
  const found = matching(records, type);
  return {
    rcode: RCODE.NOERROR,
    authoritative: true,
    answers: found.map((data) => ({ data, ttl: ZONE_TTL_SECONDS })),
    ...(found.length === 0 ? { authority: none } : {}),
  };
}

/** An answer that is only a code. */
export function refusal(rcode: DnsReply['rcode']): DnsReply {
  return { rcode, authoritative: false, answers: [] };
}

/** A question for everything gets one kind of records: RFC 8482, 4.1. */
function matching(records: readonly RecordData[], type: number): readonly RecordData[] {
  const wanted = type === TYPE.ANY ? TYPE[records[0]?.type ?? 'SOA'] : type;
  return records.filter((data) => TYPE[data.type] === wanted);
}

function parentOf(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}
