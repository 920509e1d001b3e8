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
  collectDefaultMetrics({ register: registry });
  const meters = createMeters(registry);
  let readQueue: ReadDepth = async () => ({});
  let readNotifications: ReadDepth = async () => ({});

  return {
    requestFinished(operation, status, seconds) {
      meters.requests.inc({ operation, status });
      meters.durations.observe({ operation }, seconds);
    },
    responseCheckFailed: (operation) => meters.checkFailures.inc({ operation }),
    deliveryFinished: (verdict) => meters.deliveries.inc({ verdict }),
    mailReceived: (outcome) => meters.received.inc({ outcome }),
    webRequestFinished: (kind, status, automated) =>
      meters.webRequests.inc({ kind, status, automated: String(automated) }),
    webhookAttempted(result, seconds) {
      meters.webhookAttempts.inc({ result });
      meters.webhookDurations.observe(seconds);
    },
    webhookDisabled: (reason) => meters.webhooksDisabled.inc({ reason }),
    watchQueue(depth) {
      readQueue = depth;
    },
    watchNotifications(depth) {
      readNotifications = depth;
    },
    async render() {
      await Promise.all([show(meters.queueJobs, readQueue), show(meters.notifications, readNotifications)]);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

function createMeters(registry: Registry) {
  return { ...requestMeters(registry), ...mailMeters(registry), ...webhookMeters(registry) };
}

function requestMeters(registry: Registry) {
  return {
    requests: counter(
      registry,
      'sendspec_http_requests_total',
      'Requests answered, by operation and status.',
      ['operation', 'status'],
    ),
    durations: histogram(
      registry,
      'sendspec_http_request_duration_seconds',
      'Time from the request line to the last byte of the answer, by operation.',
      ['operation'],
    ),
    checkFailures: counter(
      registry,
      'sendspec_response_check_failures_total',
      'Responses that broke the contract and left as a 500 instead, by operation. Anything above 0 is a fault of the server.',
      ['operation'],
    ),
    webRequests: counter(
      registry,
      'sendspec_web_requests_total',
      'Requests to the web listener, by kind and status, and whether a known bot, scanner or proxy sent them.',
      ['kind', 'status', 'automated'],
    ),
  };
}

function mailMeters(registry: Registry) {
  return {
    deliveries: counter(registry, 'sendspec_deliveries_total', 'Delivery attempts, by verdict.', ['verdict']),
    received: counter(
      registry,
      'sendspec_inbound_mails_total',
      'Mails to the addresses of the service itself, by what they were taken for; and recipients that were refused.',
      ['outcome'],
    ),
    queueJobs: stateGauge(registry, 'sendspec_queue_jobs', 'Delivery jobs in the queue, by state.'),
  };
}

function webhookMeters(registry: Registry) {
  return {
    webhookAttempts: counter(
      registry,
      'sendspec_webhook_attempts_total',
      'Attempts to send a notification to a webhook, by result.',
      ['result'],
    ),
    webhookDurations: histogram(
      registry,
      'sendspec_webhook_attempt_duration_seconds',
      'Time from the start of an attempt to the end of what is read of the answer.',
      [],
    ),
    webhooksDisabled: counter(
      registry,
      'sendspec_webhooks_disabled_total',
      'Webhooks that the service disabled, by reason.',
      ['reason'],
    ),
    notifications: stateGauge(
      registry,
      'sendspec_webhook_notifications',
      'Notifications that are to be sent: ready, waiting for a later attempt, or held as their webhook is disabled or paused.',
    ),
  };
}

function counter<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
): Counter<Label> {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

function histogram<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
): Histogram<Label> {
  return new Histogram({ name, help, labelNames, buckets: DURATION_BUCKETS, registers: [registry] });
}

function stateGauge(registry: Registry, name: string, help: string): Gauge<'state'> {
  return new Gauge({ name, help, labelNames: ['state'], registers: [registry] });
}

/** A number that is no longer known is left out: an old one would read as the present one. */
async function show(gauge: Gauge<'state'>, read: ReadDepth): Promise<void> {
  const depth = await read().catch(() => ({}));
  gauge.reset();
  for (const [state, count] of Object.entries(depth)) gauge.set({ state }, count);
}
