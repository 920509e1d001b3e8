export {
  type ExampleWebhookOptions,
  type SentWebhook,
  sendExampleWebhook,
  WebhookError,
  webhookEvents,
} from './example-webhook.ts';
export { type MockOptions, type RunningMock, startMock } from './mock.ts';
