import type { Target } from '../target/target.ts';
import { parsed, textAt, valueAt } from './answer.ts';
import { createHooks } from './hooks.ts';
import { SetupFailed } from './violation.ts';
import type { Caller, Wire } from './wire.ts';

/** Tells a target where to send the events of an account. */
export interface Registration {
  /**
   * Sends the account's events to the URL from now on; returns the secret that signs them, undefined when nothing is signed.
   * @throws SetupFailed or HookFailed with the target's words when it does not want to.
   */
  register(accountId: string, url: string): Promise<string | undefined>;
  /** Takes back what the target lets take back. */
  withdraw(): Promise<void>;
}

/** By a hook, which is told an account and a URL; the secret is that of the target file. */
export function registrationByHook(target: Target): Registration {
  return {
    async register(accountId, url) {
      await createHooks(target).setWebhookUrl(accountId, url);
      return target.webhooks?.secret ?? undefined;
    },
    withdraw: () => Promise.resolve(),
  };
}

/** By the operations of the contract, as somebody who may do so for the account; the secret is that of the answer. */
export function registrationByExtension(options: {
  wire: Wire;
  callerFor: (accountId: string) => Promise<Caller>;
  hide: (secret: string) => void;
}): Registration {
  const { wire, callerFor, hide } = options;
  const made: { account_id: string; webhook_id: string }[] = [];
  return {
    async register(account_id, url) {
      const as = await callerFor(account_id);
      const { response } = await wire.send({
        operation: 'createWebhook',
        path: { account_id },
        body: { url },
        as,
      });
      const json = parsed(response?.text ?? '');
      const secret = textAt(json, 'data.secret');
      if (response?.status !== 201 || secret === '') throw refused(url, response?.status, json);
      made.push({ account_id, webhook_id: textAt(json, 'data.webhook_id') });
      hide(secret);
      return secret;
    },
    async withdraw() {
      const deletions = made.splice(0).map(async (path) => {
        const as = await callerFor(path.account_id);
        await wire.send({ operation: 'deleteWebhook', path, as });
      });
      await Promise.allSettled(deletions);
    },
  };
}

function refused(url: string, status: number | undefined, json: unknown): SetupFailed {
  const errors = valueAt(json, 'data.errors');
  const words = errors === undefined ? '' : `: ${JSON.stringify(errors)}`;
  return new SetupFailed(`createWebhook was answered ${status ?? 'nothing'} for ${url}${words}`);
}
