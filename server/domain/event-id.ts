import { createHash } from 'node:crypto';

/**
 * The id of an event that must be recorded once, however often and by however many processes it is reported: the same parts
 * give the same id. A UUID of version 8, whose bits are free to choose (RFC 9562, section 5.8).
 */
export function eventIdOf(...parts: readonly [string, ...string[]]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
