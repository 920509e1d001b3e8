import type { Rule } from './rule.ts';

export const AUTHENTICATION_RULES = [
  {
    rule: 'OAuth: all management, statistics and log methods.',
    operations: ['getStats', 'exportMessages', 'listAccounts', 'deleteSuppression'],
    faults: {
      'authentication.stats-public': 'statistics are for anybody',
      'authentication.export-public': 'the export is for anybody',
      'authentication.accounts-public': 'the list of accounts is for anybody',
      'authentication.suppression-deletion-public': 'anybody deletes suppressions',
    },
  },
  {
    rule: 'Basic: POST /v1/send_email only.',
    operations: ['getAccount', 'listAccounts', 'listDomains', 'listMessages', 'getStats'],
    faults: {
      'authentication.basic-manages': 'an API key opens the management methods',
      'authentication.scheme-unchecked': 'the word before the access token does not matter',
    },
  },
  {
    rule: 'HTTP Basic; username is the account_id, password is one of the API keys of that account.',
    operations: ['sendEmail'],
    faults: {
      'authentication.bearer-sends': 'an access token sends',
      'authentication.key-of-any-account': 'a key of another account sends',
      'authentication.key-unchecked': 'any password sends',
    },
  },
  {
    rule: 'A sending account may have several API keys.',
    operations: ['sendEmail', 'createApiKey'],
    faults: {
      'authentication.one-key-only': 'only the newest key of an account works',
      'api-keys.create-replaces-others': 'a new key removes the earlier ones',
    },
  },
  {
    rule: 'Invalid access token yields 401.',
    operations: ['listAccounts', 'getStats'],
    faults: {
      'authentication.token-compared-by-start': 'only the start of an access token is compared',
      'authentication.refresh-token-grants-access': 'a refresh token serves as an access token',
      'authentication.tokens-never-expire': 'an access token works after expires_in',
    },
  },
  {
    rule: 'Login: token_type, expires_in, access_token and refresh_token, not wrapped in data, with 200.',
    operations: ['login'],
    faults: {
      'login.is-201': 'logging in is 201',
      'login.wrapped-in-data': 'the tokens are in data',
      'login.token-type-missing': 'there is no token_type',
      'login.expires-in-missing': 'there is no expires_in',
      'login.refresh-token-missing': 'there is no refresh_token',
    },
  },
  {
    rule: 'Invalid login and password yield 401.',
    operations: ['login'],
    faults: {
      'login.any-password': 'any password is right',
      'login.wrong-password-is-400': 'a wrong password is 400',
    },
  },
  {
    rule: 'grant_type: always password.',
    operations: ['login'],
    faults: { 'login.grant-type-unchecked': 'any grant_type is taken' },
  },
  {
    rule: 'POST /v1/logout ends the user session. Returns 200.',
    operations: ['logout'],
    faults: {
      'logout.is-204': 'logging out is 204',
      'logout.keeps-access': 'the access token works after logging out',
      'logout.keeps-refresh': 'the refresh token works after logging out',
      'logout.ends-all-sessions': 'other sessions of the user end as well',
    },
  },
  {
    rule: 'A refresh token gives a new pair of tokens once; the old pair is of no use from then on.',
    operations: ['refreshToken'],
    faults: {
      'refresh.access-token-missing': 'the answer has no access_token',
      'refresh.new-access-useless': 'the new access token does not work',
      'refresh.old-access-lives': 'the old access token works on',
      'refresh.reuse-accepted': 'a refresh token works twice',
      'refresh.reuse-keeps-session': 'a refresh token that comes again does not end the session',
    },
  },
] as const satisfies readonly Rule[];
