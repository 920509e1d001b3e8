import type { Rule } from './rule.ts';

export const HTTP_RULES = [
  {
    rule: 'Successful single-object responses: { data: <object>, meta: { rq_time } }.',
    operations: [
      'getAccount',
      'createAccount',
      'getDomain',
      'deleteSuppression',
      'getMessage',
      'getStats',
      'getUser',
    ],
    faults: {
      'http.rq-time-missing': 'meta has no rq_time',
      'http.rq-time-is-a-number': 'rq_time is a number',
      'http.meta-missing': 'there is no meta',
      'http.data-renamed': 'the object is in "result"',
      'http.json-called-html': 'the content type is text/html',
    },
  },
  {
    rule: 'Errors have the success envelope: data has a code and errors, meta has rq_time.',
    operations: [],
    faults: {
      'http.error-without-envelope': 'errors are {"error": "..."}',
      'http.error-is-html': 'a 409 is an HTML page',
      'http.error-code-missing': 'errors have no code',
      'http.errors-missing': 'errors have no list of errors',
      'http.error-code-lower-case': 'error codes are in lower case',
      'http.field-missing-in-422': 'a field error does not name its field',
    },
  },
  {
    rule: '404: the endpoint does not exist (reserved for this only).',
    operations: [],
    faults: {
      'http.unknown-endpoint-is-html': 'an unknown endpoint is answered with an HTML page',
      'http.unknown-endpoint-is-200': 'an unknown endpoint is answered 200',
      'http.wrong-method-is-405': 'a wrong method on a known path is 405',
    },
  },
  {
    rule: 'The JSON body is invalid: 400 with the code INVALID_JSON.',
    operations: [
      'sendEmail',
      'login',
      'refreshToken',
      'register',
      'requestPasswordReset',
      'confirmPasswordReset',
      'createAccount',
      'updateAccount',
      'createApiKey',
      'createDomain',
      'updateDomain',
      'createSuppression',
      'createUser',
      'updateUser',
    ],
    faults: {
      'http.invalid-json-is-422': 'a body that is not JSON is 422',
      'http.invalid-json-is-500': 'a body that is not JSON is 500',
      'http.invalid-json-is-empty': 'a body that is not JSON counts as {}',
      'http.content-type-enforced': 'JSON under another content type is refused',
    },
  },
  {
    rule: 'Validation errors are 422.',
    operations: [],
    faults: { 'http.validation-is-400': 'a wrong shape is 400' },
  },
  {
    rule: 'Invalid login and password, invalid access token and invalid API key yield 401.',
    operations: [],
    faults: {
      'http.unauthorized-is-403': 'who is unknown gets 403',
      'http.challenge-missing': 'a 401 has no WWW-Authenticate',
      'http.body-before-who': 'the body of a stranger is parsed before the question who asks',
    },
  },
  {
    rule: 'A resource unavailable because of permissions yields 403.',
    operations: [],
    faults: {
      'http.denied-is-404': 'what belongs to others is 404',
      'isolation.foreign-is-409': 'what belongs to others is 409',
    },
  },
  {
    rule: 'A request for a nonexistent resource yields 409, not 404.',
    operations: [],
    faults: {
      'http.conflict-is-422': 'what is 409 is 422',
      'isolation.missing-is-403': 'what does not exist is 403',
    },
  },
  {
    rule: '429: the requests-per-minute limit was reached.',
    operations: [],
    rateLimit: 300,
    faults: {
      'http.rate-limit-is-503': 'too many requests are 503',
    },
  },
  {
    rule: 'CR, LF and NUL in any header-bound field are rejected; NUL nowhere belongs.',
    operations: ['createAccount', 'updateAccount', 'createSuppression', 'sendEmail'],
    faults: { 'http.nul-accepted': 'NUL is accepted in texts' },
  },
  {
    rule: 'A 500 is an internal failure: no request causes one.',
    operations: [],
    faults: {
      'http.quote-is-500': 'a single quote in a body is 500',
      'http.emoji-is-500': 'a character beyond the Basic Multilingual Plane is 500',
      'http.large-offset-is-500': 'an offset beyond 2^31 / 2 is 500',
    },
  },
  {
    rule: 'A scalar parameter given twice is 422.',
    operations: [
      'listAccounts',
      'listDomains',
      'listSuppressions',
      'listMessages',
      'exportMessages',
      'getStats',
    ],
    faults: { 'http.repeated-parameter-accepted': 'the first of two values counts' },
  },
  {
    rule: 'A malformed date is an error; any RFC 3339 offset is read, and none is 422.',
    operations: ['listSuppressions', 'listMessages', 'exportMessages', 'getStats'],
    faults: {
      'periods.malformed-accepted': 'a malformed date means all of time',
      'periods.offset-optional': 'a timestamp without an offset counts as UTC',
      'periods.date-is-midnight': 'a date as the end of a period is its first moment',
    },
  },
] as const satisfies readonly Rule[];
