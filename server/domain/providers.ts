/** How much a provider takes from one sender: connections at the same time, and messages over one connection. */
export interface ProviderLimits {
  connections: number;
  messagesPerConnection: number;
}

interface Provider extends ProviderLimits {
  name: string;
  /** The ends of its mail hosts' names. Whoever sends to one of them sends to the provider, whatever the recipient's domain is. */
  hosts: readonly string[];
}

/** What a destination takes of which nothing else is known. */
export const USUAL_LIMITS: ProviderLimits = { connections: 10, messagesPerConnection: 100 };

/** From what the providers publish for senders, and what senders have found to be borne; the more specific name comes first. */
export const PROVIDERS: readonly Provider[] = [
  { name: 'google', hosts: ['google.com', 'googlemail.com'], connections: 20, messagesPerConnection: 50 },
  { name: 'outlook', hosts: ['olc.protection.outlook.com'], connections: 10, messagesPerConnection: 50 },
  {
    name: 'office 365',
    hosts: ['mail.protection.outlook.com', 'mx.microsoft'],
    connections: 20,
    messagesPerConnection: 50,
  },
  { name: 'yahoo', hosts: ['yahoodns.net'], connections: 10, messagesPerConnection: 20 },
  { name: 'apple', hosts: ['mail.icloud.com'], connections: 10, messagesPerConnection: 5 },
  { name: 'comcast', hosts: ['comcast.net'], connections: 25, messagesPerConnection: 100 },
  { name: 'orange', hosts: ['orange.fr', 'wanadoo.fr'], connections: 3, messagesPerConnection: 100 },
  { name: 'free', hosts: ['free.fr'], connections: 2, messagesPerConnection: 50 },
  {
    name: 'gmx and web.de',
    hosts: ['gmx.net', 'web.de', 'kundenserver.de'],
    connections: 10,
    messagesPerConnection: 100,
  },
  { name: 'mail.com', hosts: ['mail.com', 'gmx.com'], connections: 10, messagesPerConnection: 100 },
  { name: 't-online', hosts: ['t-online.de'], connections: 5, messagesPerConnection: 100 },
  { name: 'mail.ru', hosts: ['mail.ru'], connections: 10, messagesPerConnection: 50 },
  { name: 'yandex', hosts: ['yandex.ru', 'yandex.net'], connections: 10, messagesPerConnection: 50 },
  { name: 'qq', hosts: ['qq.com'], connections: 5, messagesPerConnection: 20 },
  {
    name: 'netease',
    hosts: ['163.com', '126.com', 'netease.com'],
    connections: 5,
    messagesPerConnection: 20,
  },
  { name: 'proton', hosts: ['protonmail.ch'], connections: 10, messagesPerConnection: 100 },
];

/** The provider that a mail host belongs to; undefined for everybody else's. */
export function providerOf(host: string): Provider | undefined {
  const name = host.toLowerCase();
  return PROVIDERS.find(({ hosts }) => hosts.some((end) => name === end || name.endsWith(`.${end}`)));
}
