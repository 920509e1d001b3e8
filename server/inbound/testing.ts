import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';

// For tests of what speaks SMTP.

const WHOLE_REPLY = /^(?:\d{3}-[^\n]*\r\n)*(\d{3} [^\r\n]*|\d{3})\r\n/;

/** A client that writes what it is told, byte for byte, and reads reply after reply. */
export class SmtpClient {
  readonly socket: Socket;
  #received = '';
  #closed = false;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      this.#received += text;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#closed = true;
    });
  }

  /** Connects and takes the greeting. Whoever calls destroys the socket. */
  static async to(port: number): Promise<SmtpClient> {
    const socket = connect(port, '127.0.0.1');
    const client = new SmtpClient(socket);
    await once(socket, 'connect');
    await client.reply();
    return client;
  }

  /** Sends text as it is and gives the last line of the reply. */
  async say(text: string | Buffer): Promise<string> {
    this.socket.write(text);
    return this.reply();
  }

  /** The last line of the next reply; empty when the connection ended instead. */
  async reply(): Promise<string> {
    await expect.poll(() => WHOLE_REPLY.test(this.#received) || this.#closed, { interval: 2 }).toBe(true);
    const [all = '', last = ''] = WHOLE_REPLY.exec(this.#received) ?? [];
    this.#received = this.#received.slice(all.length);
    return last;
  }

  /** Goes as far as the content of a mail. */
  async begin(recipient = 'ann@example.com', sender = 'b-1@bounces.demo.test'): Promise<void> {
    expect(await this.say('EHLO me.test\r\n')).toMatch(/^250/);
    expect(await this.say(`MAIL FROM:<${sender}>\r\n`)).toMatch(/^250/);
    expect(await this.say(`RCPT TO:<${recipient}>\r\n`)).toMatch(/^250/);
    expect(await this.say('DATA\r\n')).toMatch(/^354/);
  }

  /** Sends a mail with the null sender, and gives the reply that decides: to a recipient that is refused, or to the mail. */
  async post(recipients: readonly string[], content: string | Buffer, sender = ''): Promise<string> {
    await this.say('EHLO mx.example.com\r\n');
    await this.say(`MAIL FROM:<${sender}>\r\n`);
    for (const recipient of recipients) {
      const reply = await this.say(`RCPT TO:<${recipient}>\r\n`);
      if (!reply.startsWith('250')) return reply;
    }
    await this.say('DATA\r\n');
    const lines = Buffer.from(content)
      .toString('latin1')
      .replace(/\r\n|\n/g, '\r\n')
      .replace(/^\./gm, '..');
    return await this.say(Buffer.from(`${lines}${lines.endsWith('\r\n') ? '' : '\r\n'}.\r\n`, 'latin1'));
  }
}
