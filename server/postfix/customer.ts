import { call } from '../testing/service-process.ts';

/** Somebody who sends through the service, and everything he does over the API. */
export interface Customer {
  send(to: string): Promise<string>;
  get(path: string): Promise<unknown>;
}

const PASSWORD = 'correct horse battery staple';

/**
 * Registers, and sets up a domain as the manual says: `publish` puts each record into the DNS, then the service is asked to look.
 * Rejects when anything is refused.
 */
export async function signUp(
  folder: string,
  baseUrl: string,
  domainName: string,
  publish: (name: string, cname: string) => void,
): Promise<Customer> {
  const ask = async (method: string, path: string, body?: unknown, authorization?: string) => {
    const answer = await call(folder, method, `${baseUrl}${path}`, {
      ...(body === undefined ? {} : { body }),
      ...(authorization === undefined ? {} : { authorization }),
    });
    if (answer.status > 201)
      throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const email = `owner@${domainName}`;
  await ask('POST', '/v1/register', {
    organisation_name: 'Customer',
    name: 'Olive Owner',
    email,
    password: PASSWORD,
  });
  const session = await ask('POST', '/v1/login', { email, password: PASSWORD, grant_type: 'password' });
  const bearer = `Bearer ${session.access_token}`;
  const create = async (path: string, body: unknown) => Object((await ask('POST', path, body, bearer)).data);
  const account = await create('/v1/accounts', { name: 'Mail', type: 'transactional' });
  const { api_key } = await create(`/v1/accounts/${account.account_id}/api_keys`, { name: 'Test' });
  const domain = await create('/v1/domains', { name: domainName, accounts: [account.account_id] });
  publish(domain.dkim_selector_1, domain.dkim_cname_1);
  publish(domain.dkim_selector_2, domain.dkim_cname_2);
  publish(`${domain.return_path_hostname}.${domainName}`, domain.return_path_cname);
  await ask('POST', `/v1/domains/${domain.domain_id}/verify_dkim`, undefined, bearer);
  await ask('POST', `/v1/domains/${domain.domain_id}/verify_return_path`, undefined, bearer);

  const basic = `Basic ${Buffer.from(`${account.account_id}:${api_key}`).toString('base64')}`;
  return {
    get: async (path) => (await ask('GET', path, undefined, bearer)).data,
    send: async (to) => {
      const message = {
        from: { email: `hello@${domainName}`, name: 'Zoë' },
        to: [{ email: to }],
        subject: 'Grüße',
        body: { text: 'Hello,\n.\n..dots\n', html: '<p>Hello, <b>wörld</b></p>' },
      };
      const { data } = await ask('POST', '/v1/send_email', [message], basic);
      const [item] = Object(data);
      return String(item.message_id);
    },
  };
}
