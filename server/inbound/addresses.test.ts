import { expect, it } from 'vitest';
import { createAddressBook } from './addresses.ts';

it('knows its own hosts in either way to write them', () => {
  // An SMTP server shows people the name that the DNS has as A-labels.
  const book = createAddressBook('mail.xn--bcher-kva.example', 'key');
  for (const host of ['bounces.mail.xn--bcher-kva.example', 'Bounces.mail.bücher.example']) {
    expect(book.find(`fbl@${host}`)).toEqual({ kind: 'feedback' });
    expect(book.find(`postmaster@${host}`)).toEqual({ kind: 'postmaster' });
    expect(book.find(`nobody@${host}`)).toBe('unknown');
  }
  expect(book.find('fbl@bounces.mail.example')).toBeUndefined();
});
