import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A mail server that refuses every recipient with this reply; `$1` stands for the address. */
export async function refusingServer(reply: string): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.write('220 next hop\r\n');
    socket.setEncoding('latin1').on('data', (lines) => {
      for (const line of String(lines).split('\r\n').slice(0, -1))
        socket.write(`${answerTo(line, reply)}\r\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server is not listening.');
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: address.port, close };
}

function answerTo(line: string, reply: string): string {
  const [, recipient] = /^RCPT TO:<([^>]*)>/i.exec(line) ?? [];
  if (recipient !== undefined) return reply.replace('$1', recipient);
  if (/^DATA/i.test(line)) return '554 5.5.1 No valid recipients';
  return /^QUIT/i.test(line) ? '221 Bye' : '250 Ok';
}
