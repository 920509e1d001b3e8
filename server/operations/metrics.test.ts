import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('requests, deliveries and check failures are counted by their labels', async () => {
  const metrics = createMetrics();
  metrics.requestFinished('sendEmail', 207, 0.02);
  metrics.requestFinished('sendEmail', 207, 0.3);
  metrics.requestFinished('getStats', 200, 0.001);
  metrics.responseCheckFailed('getStats');
  metrics.deliveryFinished('hard_bounce');
  metrics.mailReceived('soft_bounce');
  metrics.webRequestFinished('open', 200, true);
  const { contentType, text } = await metrics.render();
  expect(contentType).toContain('text/plain');
  expect(text).toContain('sendspec_http_requests_total{operation="sendEmail",status="207"} 2');
  expect(text).toContain('sendspec_http_requests_total{operation="getStats",status="200"} 1');
  expect(text).toContain('sendspec_http_request_duration_seconds_bucket{le="0.025",operation="sendEmail"} 1');
  expect(text).toContain('sendspec_http_request_duration_seconds_count{operation="sendEmail"} 2');
  expect(text).toContain('sendspec_response_check_failures_total{operation="getStats"} 1');
  expect(text).toContain('sendspec_deliveries_total{verdict="hard_bounce"} 1');
  expect(text).toContain('sendspec_inbound_mails_total{outcome="soft_bounce"} 1');
  expect(text).toContain('sendspec_web_requests_total{kind="open",status="200",automated="true"} 1');
  expect(text).toContain('process_resident_memory_bytes');
});

test('the depth of the queue is read when asked for', async () => {
  const metrics = createMetrics();
  let depth: Record<string, number> = { waiting: 3, active: 1 };
  metrics.watchQueue(async () => depth);
  expect((await metrics.render()).text).toContain('sendspec_queue_jobs{state="waiting"} 3');
  depth = { waiting: 2 };
  const { text } = await metrics.render();
  expect(text).toContain('sendspec_queue_jobs{state="waiting"} 2');
  expect(text).not.toContain('state="active"');
});

test('a depth that cannot be read is left out, the rest stays', async () => {
  const metrics = createMetrics();
  metrics.watchQueue(async () => ({ waiting: 3 }));
  await metrics.render();
  metrics.watchQueue(() => Promise.reject(new Error('the database is gone')));
  const { text } = await metrics.render();
  expect(text).not.toContain('state="waiting"');
  expect(text).toContain('sendspec_queue_jobs');
});

test('two sets of metrics do not disturb each other', async () => {
  const first = createMetrics();
  const second = createMetrics();
  first.deliveryFinished('delivery');
  expect((await second.render()).text).not.toContain('verdict="delivery"');
});
