/** Says what is wrong, or undefined when all is well. */
export type HealthCheck = () => Promise<string | undefined>;

/** Whether the service can do its work, for load balancers and supervisors. */
export interface Health {
  /** Everything is started, or the way down has begun. */
  enter(phase: 'ready' | 'stopping'): void;
  /** The reasons why no traffic should come here; none when the service is ready. */
  reasons(): Promise<string[]>;
}

const CHECK_TIMEOUT_MS = 3000;

/** Creates the health of a service that is still starting. A check that takes too long or throws counts as failed. */
export function createHealth(checks: Readonly<Record<string, HealthCheck>>): Health {
  let phase: 'starting' | 'ready' | 'stopping' = 'starting';
  return {
    enter(next) {
      phase = next;
    },
    async reasons() {
      if (phase !== 'ready') return [`the service is ${phase}`];
      const results = await Promise.all(
        Object.entries(checks).map(async ([name, check]) => {
          const fault = await faultOf(check);
          return fault === undefined ? [] : [`${name}: ${fault}`];
        }),
      );
      return results.flat();
    },
  };
}

async function faultOf(check: HealthCheck): Promise<string | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve('no answer in time'), CHECK_TIMEOUT_MS);
  try {
    return await Promise.race([check(), late]);
  } catch {
    return 'does not answer';
  } finally {
    clearTimeout(timer);
  }
}
