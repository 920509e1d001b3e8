import { createServer } from 'node:http';

// The receiver of notifications: node bench/webhooks/receiver.ts. Its first message is its port. It answers every request at once, and
// those for /hang never. A message asks for the number of requests that it has answered since the one before.

let answered = 0;
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.url === '/hang') return;
    answered += 1;
    response.end('ok');
  });
});
// Idle connections stay: what is measured is not the making of connections.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' && address !== null ? address.port : 0);
});
process.on('message', () => {
  process.send?.(answered);
  answered = 0;
});
process.once('SIGTERM', () => process.exit());
process.once('disconnect', () => process.exit());
