import { characterStrings } from './wire.ts';
import { type RecordData, ZONE_TTL_SECONDS, type ZoneFacts, type ZoneKey, zoneRecords } from './zone.ts';

/** The records of the zone as a zone file (RFC 1035, section 5). */
export function zoneFile(facts: ZoneFacts, keys: readonly ZoneKey[]): string {
  const { mailHostname, addresses } = facts;
  const yours =
    addresses.length > 0 ? '' : ` The A and AAAA records of ${mailHostname} itself are yours to add.`;
  const records = zoneRecords(facts, keys).map(
    ({ name, data }) => `${name}. ${ZONE_TTL_SECONDS} IN ${presentation(data)}`,
  );
  return `; Below ${mailHostname}.${yours}\n${records.join('\n')}\n`;
}

function presentation(data: RecordData): string {
  switch (data.type) {
    case 'A':
    case 'AAAA':
      return `${data.type} ${data.address}`;
    case 'MX':
      return `MX ${data.preference} ${data.exchange}.`;
    case 'NS':
      return `NS ${data.host}.`;
    case 'TXT':
      return `TXT ${characterStrings(data.text)
        .map((part) => `"${part}"`)
        .join(' ')}`;
    case 'SOA':
      return `SOA ${data.host}. ${data.mailbox}. ${data.serial} ${data.refresh} ${data.retry} ${data.expire} ${data.minimum}`;
  }
}
