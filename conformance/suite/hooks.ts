import type { Target } from '../target/target.ts';
import { parsed, valueAt } from './answer.ts';

/** A mail that left the server, as the hook `messages` shows it. */
export interface SentMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly received_at: string;
  /** The mail as it came over SMTP. */
  readonly raw: string;
}

/** The ways behind the API that a target may offer. */
export interface Hooks {
  advanceClock(seconds: number): Promise<void>;
  sentMails(to: string): Promise<SentMail[]>;
  setWebhookUrl(accountId: string, url: string): Promise<void>;
}

/** A hook of the target does not do what its target file promises: a fault of the set-up, not of the contract. */
export class HookFailed extends Error {}

const TIMEOUT_MS = 10_000;

/** The hooks of a target. Each throws HookFailed when it is not declared or fails. */
export function createHooks({ hooks = {} }: Target): Hooks {
  return {
    async advanceClock(seconds) {
      await post('advance_clock', hooks.advance_clock, { advance_seconds: seconds });
    },
    async setWebhookUrl(accountId, url) {
      await post('set_webhook_url', hooks.set_webhook_url, { account_id: accountId, url });
    },
    async sentMails(to) {
      const text = await ask('messages', hooks.messages, `?to=${encodeURIComponent(to)}`, {});
      const mails = valueAt(parsed(text), 'messages');
      if (!Array.isArray(mails)) throw new HookFailed('The hook messages answers without "messages".');
      return mails.map(sentMail);
    },
  };
}

async function post(name: string, url: string | undefined, body: unknown): Promise<void> {
  await ask(name, url, '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function ask(name: string, url: string | undefined, query: string, init: RequestInit): Promise<string> {
  if (url === undefined) throw new HookFailed(`The target declares no hook ${name}.`);
  try {
    const response = await fetch(`${url}${query}`, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    if (response.ok) return text;
    throw new HookFailed(`The hook ${name} (${url}) answered ${response.status}: ${text.slice(0, 200)}`);
  } catch (error) {
    if (error instanceof HookFailed) throw error;
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new HookFailed(`The hook ${name} (${url}) cannot be used: ${cause}`);
  }
}

function sentMail(value: unknown): SentMail {
  const to = valueAt(value, 'to');
  const text = (key: string) => String(valueAt(value, key) ?? '');
  return {
    from: text('from'),
    to: Array.isArray(to) ? to.map(String) : [],
    received_at: text('received_at'),
    raw: text('raw'),
  };
}
