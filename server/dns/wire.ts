import type { RecordData } from './zone.ts';

// DNS messages (RFC 1035, section 4; EDNS: RFC 6891), as far as an authoritative server for a few kinds of records needs them.

/** The numbers of the record types that are told apart. */
export const TYPE = {
  A: 1,
  NS: 2,
  SOA: 6,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  OPT: 41,
  IXFR: 251,
  AXFR: 252,
  ANY: 255,
} as const;

export const CLASS_IN = 1;

/** How an answer ends (RFC 1035, 4.1.1; RFC 6891, section 9). */
export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADVERS: 16,
} as const;

export type Rcode = (typeof RCODE)[keyof typeof RCODE];

export interface DnsQuestion {
  /** Labels as they came, joined by dots; in lower case. A label with a dot or a byte beyond ASCII in it gives no name of ours. */
  name: string;
  type: number;
  class: number;
  /** As it came, to be repeated: the case of its letters is the resolver's protection against forgers. */
  raw: Buffer;
}

/** A question, or what is wrong with it: either way it can be answered. */
export interface DnsQuery {
  id: number;
  opcode: number;
  recursionDesired: boolean;
  question: DnsQuestion | undefined;
  /** Present when the asker speaks EDNS. */
  edns: { udpSize: number; version: number } | undefined;
  /** `NOERROR` when the message is a sound question. */
  fault: Rcode;
}

/** An answer as data. */
export interface DnsReply {
  rcode: Rcode;
  /** Whether this server speaks for the zone of the name. */
  authoritative: boolean;
  /** Records of the name that was asked for. */
  answers: readonly { data: RecordData; ttl: number }[];
  /** The SOA record of the zone, where there is no answer: how long that may be remembered. */
  authority?: { name: string; data: RecordData; ttl: number };
}

const HEADER_BYTES = 12;
const LONGEST_NAME = 255;
const LONGEST_LABEL = 63;
const LONGEST_STRING = 255;
const POINTER = 0xc0;
const POINTER_TO_QUESTION = 0xc000 | HEADER_BYTES;
/** What is sent over UDP at most, whatever the asker can take: it fits into one packet everywhere. */
const OUR_UDP_SIZE = 1232;
const PLAIN_UDP_SIZE = 512;

class Malformed extends Error {}

/** Reads a question. Undefined for what must not be answered: a response, or something too short to be a message. */
export function readQuery(message: Buffer): DnsQuery | undefined {
  if (message.length < HEADER_BYTES) return undefined;
  const flags = message.readUInt16BE(2);
  if ((flags & 0x8000) !== 0) return undefined;
  const query: DnsQuery = {
    id: message.readUInt16BE(0),
    opcode: (flags >> 11) & 0xf,
    recursionDesired: (flags & 0x0100) !== 0,
    question: undefined,
    edns: undefined,
    fault: RCODE.NOERROR,
  };
  if (query.opcode !== 0) return { ...query, fault: RCODE.NOTIMP };
  try {
    return { ...query, ...readSections(message) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return { ...query, fault: RCODE.FORMERR };
  }
}

function readSections(message: Buffer): Pick<DnsQuery, 'question' | 'edns' | 'fault'> {
  const [questions, answers, authorities, additional] = [4, 6, 8, 10].map((at) => message.readUInt16BE(at));
  if (questions !== 1 || answers !== 0 || authorities !== 0) throw new Malformed();
  const question = readQuestion(message);
  let offset = HEADER_BYTES + question.raw.length;
  let edns: DnsQuery['edns'];
  for (let index = 0; index < (additional ?? 0); index += 1) {
    const name = skipName(message, offset);
    const fixed = bytes(message, name, 10);
    const type = fixed.readUInt16BE(0);
    if (type === TYPE.OPT) {
      if (edns !== undefined || message[offset] !== 0) throw new Malformed();
      edns = { udpSize: fixed.readUInt16BE(2), version: fixed.readUInt8(5) };
    }
    const length = fixed.readUInt16BE(8);
    bytes(message, name + 10, length);
    offset = name + 10 + length;
  }
  if (offset !== message.length) throw new Malformed();
  return { question, edns, fault: edns !== undefined && edns.version > 0 ? RCODE.BADVERS : RCODE.NOERROR };
}

function readQuestion(message: Buffer): DnsQuestion {
  const labels: string[] = [];
  let offset = HEADER_BYTES;
  for (;;) {
    const length = byteAt(message, offset);
    // There is nothing before the question that a pointer could mean.
    if (length > LONGEST_LABEL) throw new Malformed();
    offset += 1;
    if (length === 0) break;
    labels.push(bytes(message, offset, length).toString('latin1'));
    offset += length;
    if (offset - HEADER_BYTES > LONGEST_NAME - 1) throw new Malformed();
  }
  const fixed = bytes(message, offset, 4);
  return {
    name: labels.some((label) => label.includes('.')) ? '' : lowerAscii(labels.join('.')),
    type: fixed.readUInt16BE(0),
    class: fixed.readUInt16BE(2),
    raw: message.subarray(HEADER_BYTES, offset + 4),
  };
}

/** Returns where the name ends; pointers are not followed. */
function skipName(message: Buffer, start: number): number {
  let offset = start;
  for (;;) {
    const length = byteAt(message, offset);
    if (length >= POINTER) return offset + bytes(message, offset, 2).length;
    if (length > LONGEST_LABEL) throw new Malformed();
    offset += 1 + length;
    if (length === 0) return offset;
    if (offset - start > LONGEST_NAME) throw new Malformed();
  }
}

function byteAt(message: Buffer, offset: number): number {
  const byte = message[offset];
  if (byte === undefined) throw new Malformed();
  return byte;
}

function bytes(message: Buffer, offset: number, length: number): Buffer {
  if (offset + length > message.length) throw new Malformed();
  return message.subarray(offset, offset + length);
}

// DNS names have no case in ASCII alone (RFC 4343); toLowerCase would also change other letters.
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The answer to a question over UDP: cut off (TC) when it is longer than the asker, or a packet, can take. */
export function writeUdpReply(query: DnsQuery, reply: DnsReply): Buffer {
  const room =
    query.edns === undefined
      ? PLAIN_UDP_SIZE
      : Math.min(Math.max(query.edns.udpSize, PLAIN_UDP_SIZE), OUR_UDP_SIZE);
  const whole = writeReply(query, reply);
  return whole.length <= room ? whole : writeTruncated(query, reply);
}

/** An answer that says no more than: ask again over TCP. */
export function writeTruncated(query: DnsQuery, reply: DnsReply): Buffer {
  return write(query, { rcode: reply.rcode, authoritative: reply.authoritative, answers: [] }, true);
}

/** The whole answer, as TCP carries it (without the length in front). */
export function writeReply(query: DnsQuery, reply: DnsReply): Buffer {
  return write(query, reply, false);
}

function write(query: DnsQuery, reply: DnsReply, isTruncated: boolean): Buffer {
  const { question, edns } = query;
  const answers = question === undefined ? [] : reply.answers;
  const { authority } = reply;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(query.id, 0);
  header.writeUInt16BE(
    0x8000 |
      (query.opcode << 11) |
      (reply.authoritative ? 0x0400 : 0) |
      (isTruncated ? 0x0200 : 0) |
      (query.recursionDesired ? 0x0100 : 0) |
      (reply.rcode & 0xf),
    2,
  );
  header.writeUInt16BE(question === undefined ? 0 : 1, 4);
  header.writeUInt16BE(answers.length, 6);
  header.writeUInt16BE(authority === undefined ? 0 : 1, 8);
  header.writeUInt16BE(edns === undefined ? 0 : 1, 10);
  const pointer = uint16(POINTER_TO_QUESTION);
  return Buffer.concat([
    header,
    question?.raw ?? Buffer.alloc(0),
    ...answers.map(({ data, ttl }) => record(pointer, data, ttl)),
    ...(authority === undefined ? [] : [record(nameBytes(authority.name), authority.data, authority.ttl)]),
    ...(edns === undefined ? [] : [optRecord(reply.rcode)]),
  ]);
}

function record(owner: Buffer, data: RecordData, ttl: number): Buffer {
  const content = contentOf(data);
  return Buffer.concat([
    owner,
    uint16(TYPE[data.type]),
    uint16(CLASS_IN),
    uint32(ttl),
    uint16(content.length),
    content,
  ]);
}

/** RFC 6891, 6.1.2: the class is the size that we take, the first byte of the TTL the upper part of the code. */
function optRecord(rcode: Rcode): Buffer {
  return Buffer.concat([
    Buffer.from([0]),
    uint16(TYPE.OPT),
    uint16(OUR_UDP_SIZE),
    uint32((rcode >> 4) << 24),
    uint16(0),
  ]);
}

function contentOf(data: RecordData): Buffer {
  switch (data.type) {
    case 'A':
      return Buffer.from(data.address.split('.').map(Number));
    case 'AAAA':
      return addressBytes(data.address);
    case 'MX':
      return Buffer.concat([uint16(data.preference), nameBytes(data.exchange)]);
    case 'NS':
      return nameBytes(data.host);
    case 'TXT':
      return Buffer.concat(
        characterStrings(data.text).map((part) =>
          Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')]),
        ),
      );
    case 'SOA':
      return Buffer.concat([
        nameBytes(data.host),
        nameBytes(data.mailbox),
        ...[data.serial, data.refresh, data.retry, data.expire, data.minimum].map(uint32),
      ]);
  }
}

/** A text in parts of 255 bytes, as TXT records carry it (RFC 1035, 3.3). */
export function characterStrings(text: string): string[] {
  return text.match(new RegExp(`.{1,${LONGEST_STRING}}`, 'gs')) ?? [''];
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from(label, 'latin1'));
  return Buffer.concat([
    ...labels.flatMap((label) => [Buffer.from([label.length]), label]),
    Buffer.from([0]),
  ]);
}

/** An IPv6 address in its sixteen bytes. The URL parser writes every form of it in the same way. */
function addressBytes(address: string): Buffer {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = '', after] = canonical.split('::');
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [head, tail] = [groups(before), groups(after ?? '')];
  const gap = after === undefined ? 0 : 8 - head.length - tail.length;
  return Buffer.concat([...head, ...Array.from({ length: gap }, () => 0), ...tail].map(uint16));
}

function uint16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16BE(value);
  return buffer;
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}
