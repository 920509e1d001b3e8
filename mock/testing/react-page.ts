import { createElement, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient, isErrorOf } from '../../generated/client.ts';

// What a frontend team might write on its first day: log in, list, filter, create, and show what went wrong.

const mockUrl = new URLSearchParams(location.search).get('mock') ?? '';
const client = createClient({
  baseUrl: mockUrl,
  credentials: { email: 'owner@demo.test', password: 'correct horse battery staple' },
  apiKey: { accountId: '6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3', apiKey: 'any' },
});

function useLoaded<T>(load: () => Promise<T>): T | undefined {
  const [value, setValue] = useState<T>();
  useEffect(() => {
    void load().then(setValue);
  }, [load]);
  return value;
}

/** Every message of the log, page by page: pages of one, so that there are several. */
async function loadMessages() {
  const messages = [];
  for await (const message of client.listMessages.all({ query: { limit: 1 } })) messages.push(message);
  return messages;
}

function Messages() {
  const messages = useLoaded(loadMessages);
  const rows = messages?.map((message) =>
    createElement(
      'li',
      { key: message.message_id },
      `${message.subject} to ${message.recipient_email}: ${message.delivery_status}`,
    ),
  );
  return createElement('ul', { 'aria-label': 'Messages' }, rows);
}

function NewDomain() {
  const [said, say] = useState('');
  const create = async (name: string) => {
    try {
      const { data } = await client.createDomain({ body: { name, accounts: [] } });
      say(`created, publish ${data.dkim_selector_1}`);
    } catch (error) {
      if (!isErrorOf('createDomain', error)) throw error;
      say(`${error.status} ${error.code}`);
    }
  };
  const button = (name: string) =>
    createElement('button', { key: name, type: 'button', onClick: () => create(name) }, `Create ${name}`);
  return createElement(
    'section',
    null,
    button('mail.example'),
    button('no domain'),
    createElement('output', null, said),
  );
}

function Sending() {
  const [said, say] = useState('');
  const send = async () => {
    const message = {
      from: { email: 'hello@demo.test' },
      to: [{ email: 'ada@customer.test' }],
      subject: 'Hello',
      body: { text: 'Hello' },
      custom_id: 'from-react',
    };
    const { status, data } = await client.sendEmail({ body: [message] });
    say(`${status} ${data[0]?.custom_id}`);
  };
  return createElement(
    'section',
    null,
    createElement('button', { type: 'button', onClick: send }, 'Send'),
    createElement('output', null, said),
  );
}

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    [Messages, NewDomain, Sending].map((part) => createElement(part, { key: part.name })),
  );
