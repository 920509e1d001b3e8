import { type ParsedMail, simpleParser } from 'mailparser';
import { type DefaultTreeAdapterTypes, parse, defaultTreeAdapter as tree } from 'parse5';
import type { SentMail } from '../../suite/hooks.ts';
import type { Tester } from '../../suite/tester.ts';
import { SetupFailed } from '../../suite/violation.ts';

/** A mail that left the server, read as a mail program reads it. */
export interface ReadMail {
  readonly parsed: ParsedMail;
  /** The value of a header, unfolded; undefined when there is none. */
  header(name: string): string | undefined;
}

/** The mail that left for an address that only one mail is sent to. When none does, `requirement` is broken, or the check cannot go on. */
export async function sentMail(t: Tester, requirement: string | undefined, to: string): Promise<ReadMail> {
  const found = await t.poll<SentMail>(async () => (await t.sentMails(to))[0]);
  if (found !== undefined) return read(found.raw);
  const message = `no mail to ${to} left the server`;
  if (requirement === undefined) throw new SetupFailed(message);
  return t.fail(requirement, message);
}

async function read(raw: string): Promise<ReadMail> {
  const parsed = await simpleParser(raw, { skipTextToHtml: true, skipImageLinks: true });
  return {
    parsed,
    header(name) {
      const line = parsed.headerLines.find(({ key }) => key === name.toLowerCase())?.line;
      return line
        ?.slice(line.indexOf(':') + 1)
        .replace(/\r?\n(?=[ \t])/g, '')
        .trim();
    },
  };
}

/** The mail's HTML part; '' when there is none. */
export function htmlOf({ parsed }: ReadMail): string {
  return typeof parsed.html === 'string' ? parsed.html : '';
}

/** The mail's text part without white space at its end, with plain line ends; '' when there is none. */
export function textOf({ parsed }: ReadMail): string {
  return (parsed.text ?? '').replaceAll('\r\n', '\n').trimEnd();
}

/** The values of an attribute of all such elements, in the order of the document. */
export function attributesOf(html: string, tagName: string, attribute: string): string[] {
  const values: string[] = [];
  const visit = (node: DefaultTreeAdapterTypes.Node): void => {
    if (tree.isElementNode(node) && node.tagName === tagName) {
      const value = node.attrs.find(({ name }) => name === attribute)?.value;
      if (value !== undefined) values.push(value);
    }
    if ('childNodes' in node) for (const child of node.childNodes) visit(child);
  };
  visit(parse(html));
  return values;
}
