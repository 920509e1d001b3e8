import { registerHooks } from 'node:module';

// For tests: what somebody imports who has installed the package, from the sources of this project.
const OWN: Readonly<Record<string, string>> = {
  'sendspec/client': new URL('../../../generated/client.ts', import.meta.url).href,
  'sendspec/webhooks': new URL('../../../server/webhooks/verify.ts', import.meta.url).href,
};

registerHooks({
  resolve(specifier, context, nextResolve) {
    const url = OWN[specifier];
    return url === undefined ? nextResolve(specifier, context) : { url, shortCircuit: true };
  },
});
