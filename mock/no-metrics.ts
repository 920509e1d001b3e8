import type { Metrics } from '../server/operations/metrics.ts';

/** Counts nothing: nobody watches a mock. */
export const NO_METRICS: Metrics = {
  requestFinished: () => {},
  responseCheckFailed: () => {},
  deliveryFinished: () => {},
  mailReceived: () => {},
  webRequestFinished: () => {},
};
