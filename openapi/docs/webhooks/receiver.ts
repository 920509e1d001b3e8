import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { verifyWebhook, WebhookVerificationError, webhookId } from 'sendspec/webhooks';

const secrets = (process.env.WEBHOOK_SECRETS ?? '').split(' ');
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  try {
    const payload = verifyWebhook(request.headers, await buffer(request), secrets);
    const id = webhookId(request.headers);
    if (!seen.has(id)) {
      seen.add(id);
      console.log(payload.event, payload.recipient_email);
    }
    response.writeHead(204).end();
  } catch (error) {
    const status = error instanceof WebhookVerificationError ? error.status : 500;
    response.writeHead(status).end();
  }
});

server.listen(Number(process.env.PORT ?? 3000));
