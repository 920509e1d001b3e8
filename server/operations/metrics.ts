import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** How many jobs stand in each state of the queue, for instance `{ waiting: 3, active: 1 }`. */
type QueueDepth = Readonly<Record<string, number>>;
type ReadDepth = () => Promise<QueueDepth>;

/** What the service counts. The parts of the server know this interface and nothing of Prometheus. */
export interface Metrics {
  /** A request was answered. `operation` is the operationId, or `unknown` for an endpoint that does not exist. */
  requestFinished(operation: string, status: number, seconds: number): void;
  /** A response was about to break the contract and left as a 500 instead. */
  responseCheckFailed(operation: string): void;
  /** An attempt to deliver a message ended with this verdict (`delivery`, `soft_bounce`, `hard_bounce`). */
  deliveryFinished(verdict: string): void;
  /** A mail that came in was taken for this (`hard_bounce`, `unsubscribe`, `stale`, ...), or `refused`. */
  mailReceived(outcome: string): void;
  /** The web listener answered a request for a pixel (`open`), a tracked link (`click`), to `unsubscribe`, or an `unknown` one. */
  webRequestFinished(kind: string, status: number, automated: boolean): void;
}

/** What the dispatcher of notifications counts. */
export interface WebhookMetrics {
  /** An attempt to send a notification ended so (`delivered`, `timed_out`, ...). */
  webhookAttempted(result: string, seconds: number): void;
  /** A webhook was disabled, as it is `gone` or `failing`. */
  webhookDisabled(reason: string): void;
}

/** The metrics of one process, and how they are read. */
export interface MetricsRegistry extends Metrics, WebhookMetrics {
  /** Names where the queue's depth is read from, each time that somebody asks for the metrics. */
  watchQueue(depth: ReadDepth): void;
  /** The same of the notifications that wait. */
  watchNotifications(depth: ReadDepth): void;
  /** All metrics in the text format of Prometheus. Never throws: a depth that cannot be read is left out. */
  render(): Promise<{ contentType: string; text: string }>;
}

// From a fraction of a millisecond (a page of messages) to the slowest batch that a client still waits for.
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates the metrics of this process in a registry of their own. */
export function createMetrics(): MetricsRegistry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'sendspec_http_requests_total',
    help: 'Requests answered, by operation and status.',
    labelNames: ['operation', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'sendspec_http_request_duration_seconds',
    help: 'Time from the request line to the last byte of the answer, by operation.',
    labelNames: ['operation'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const checkFailures = new Counter({
    name: 'sendspec_response_check_failures_total',
    help: 'Responses that broke the contract and left as a 500 instead, by operation. Anything above 0 is a fault of the server.',
    labelNames: ['operation'],
    registers,
  });
  const deliveries = new Counter({
    name: 'sendspec_deliveries_total',
    help: 'Delivery attempts, by verdict.',
    labelNames: ['verdict'],
    registers,
  });
  const received = new Counter({
    name: 'sendspec_inbound_mails_total',
    help: 'Mails to the addresses of the service itself, by what they were taken for; and recipients that were refused.',
    labelNames: ['outcome'],
    registers,
  });
  const webRequests = new Counter({
    name: 'sendspec_web_requests_total',
    help: 'Requests to the web listener, by kind and status, and whether a known bot, scanner or proxy sent them.',
    labelNames: ['kind', 'status', 'automated'],
    registers,
  });
  const queueJobs = new Gauge({
    name: 'sendspec_queue_jobs',
    help: 'Delivery jobs in the queue, by state.',
    labelNames: ['state'],
    registers,
  });
  const webhookAttempts = new Counter({
    name: 'sendspec_webhook_attempts_total',
    help: 'Attempts to send a notification to a webhook, by result.',
    labelNames: ['result'],
    registers,
  });
  const webhookDurations = new Histogram({
    name: 'sendspec_webhook_attempt_duration_seconds',
    help: 'Time from the start of an attempt to the end of what is read of the answer.',
    buckets: DURATION_BUCKETS,
    registers,
  });
  const webhooksDisabled = new Counter({
    name: 'sendspec_webhooks_disabled_total',
    help: 'Webhooks that the service disabled, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const notifications = new Gauge({
    name: 'sendspec_webhook_notifications',
    help: 'Notifications that are to be sent: ready, waiting for a later attempt, or held as their webhook is disabled or paused.',
    labelNames: ['state'],
    registers,
  });
  let readQueue: ReadDepth = async () => ({});
  let readNotifications: ReadDepth = async () => ({});

  return {
    requestFinished(operation, status, seconds) {
      requests.inc({ operation, status });
      durations.observe({ operation }, seconds);
    },
    responseCheckFailed: (operation) => checkFailures.inc({ operation }),
    deliveryFinished: (verdict) => deliveries.inc({ verdict }),
    mailReceived: (outcome) => received.inc({ outcome }),
    webRequestFinished: (kind, status, automated) =>
      webRequests.inc({ kind, status, automated: String(automated) }),
    webhookAttempted(result, seconds) {
      webhookAttempts.inc({ result });
      webhookDurations.observe(seconds);
    },
    webhookDisabled: (reason) => webhooksDisabled.inc({ reason }),
    watchQueue(depth) {
      readQueue = depth;
    },
    watchNotifications(depth) {
      readNotifications = depth;
    },
    async render() {
      await Promise.all([show(queueJobs, readQueue), show(notifications, readNotifications)]);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** A number that is no longer known is left out: an old one would read as the present one. */
async function show(gauge: Gauge<'state'>, read: ReadDepth): Promise<void> {
  const depth = await read().catch(() => ({}));
  gauge.reset();
  for (const [state, count] of Object.entries(depth)) gauge.set({ state }, count);
}
