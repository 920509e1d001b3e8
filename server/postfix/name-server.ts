import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import DNS from 'dns2';

/** The DNS as the world sees it: the records of sending domains, and behind them the zone that the service itself serves. */
export interface NameServer {
  /** `host:port`, for questions over UDP. */
  address: string;
  /** CNAME records by their names; they may be added at any time. */
  cnames: Map<string, string>;
  close(): void;
}

/** Starts it; questions below `zone` go on to the server at `zonePort`, as they are, and so do its answers. */
export async function startNameServer(zone: string, zonePort: number): Promise<NameServer> {
  const cnames = new Map<string, string>();
  const server = createSocket('udp4');
  server.on('message', (question, client) => {
    const reply = (answer: Buffer) => server.send(answer, client.port, client.address);
    const request = DNS.Packet.parse(question);
    const name = (request.questions[0]?.name ?? '').toLowerCase();
    if (name === zone || name.endsWith(`.${zone}`)) passOn(question, zonePort, reply);
    else reply(answerFrom(cnames.get(name), request).toBuffer());
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return { address: `127.0.0.1:${server.address().port}`, cnames, close: () => server.close() };
}

function passOn(question: Buffer, port: number, reply: (answer: Buffer) => void): void {
  const socket = createSocket('udp4');
  socket.once('message', (answer) => {
    reply(answer);
    socket.close();
  });
  socket.send(question, port, '127.0.0.1');
}

function answerFrom(target: string | undefined, request: DNS.Packet): DNS.Packet {
  const response = DNS.Packet.createResponseFromRequest(request);
  if (target === undefined) {
    response.header.rcode = DNS.Packet.RCODE.NXDOMAIN;
    return response;
  }
  const answers: unknown[] = response.answers;
  const name = request.questions[0]?.name;
  answers.push({ name, class: DNS.Packet.CLASS.IN, ttl: 60, type: DNS.Packet.TYPE.CNAME, domain: target });
  return response;
}
