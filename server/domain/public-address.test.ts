import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

const PUBLIC = [
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:200::1',
  '2a00:1450:4001::200e',
  '::ffff:8.8.8.8',
  '2606:4700::5efe', // only looks like ISATAP
];

const NOT_PUBLIC: Record<string, string[]> = {
  'this host': ['0.0.0.0', '0.1.2.3', '::', '127.0.0.1', '127.255.255.255', '::1', '0:0:0:0:0:0:0:1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fdff::1', 'fec0::1'],
  'behind a provider': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'febf::1%2', '2606:4700::1%eth0'],
  'multicast and broadcast': ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1'],
  reserved: [
    '192.0.0.1',
    '240.0.0.1',
    '100::1',
    '100:0:0:1::1',
    '2001:1::1',
    '2001:4:112::1',
    '4000::1',
    '5f00::1',
  ],
  ORCHID: ['2001:10::1', '2001:20::1', '2001:2f:ffff::1'],
  benchmarks: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  'IPv4 mapped into IPv6': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::FFFF:10.0.0.1', '0:0:0:0:0:ffff:c0a8:1'],
  'IPv4 translated': ['::ffff:0:127.0.0.1', '::ffff:0:808:808'],
  'IPv4 compatible': ['::127.0.0.1', '::8.8.8.8'],
  NAT64: ['64:ff9b::127.0.0.1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  '6to4 and its relays': ['2002:7f00:1::', '2002:a00:1::1', '192.88.99.1'],
  Teredo: ['2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001::1'],
  ISATAP: ['2606:4700::5efe:10.0.0.1', '2606:4700::200:5efe:127.0.0.1', '2606:4700:0:0:0:5EFE:a00:1'],
  'no address': ['', 'localhost', '127.1', '8.8.8', '0x7f000001', '[::1]', '8.8.8.8 ', '8.8.8.8:80'],
};

test.each(PUBLIC)('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each(Object.entries(NOT_PUBLIC))('nothing of what is %s is public', (_kind, addresses) => {
  expect(addresses.filter(isPublicAddress)).toEqual([]);
});
