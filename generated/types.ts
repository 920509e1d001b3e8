// Do not edit: made from openapi/ by "npm run generate".
export interface paths {
  '/v1/send_email': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send emails
     * @description Accepts up to 500 messages for delivery. What is accepted is stored before the response is sent; delivery goes on in the background.
     *
     *     Each message is judged by itself, so that one that is wrong never keeps the others from being sent. The items of the response stand in the
     *     order of the request. The status is 200 when every message was accepted and 207 when at least one was rejected, even when it was the only one;
     *     a rejected item says why in `code` and `errors`. A message is checked first for its form, then for its sending domain, the recipient's
     *     suppression, and the uniqueness of its custom ID.
     *
     *     422 concerns the body as a whole: it is not an array, it is empty, or it is too large. Nothing was sent then. After a 500 treat the messages as
     *     lost and send them again; with `custom_id_unique` nothing is sent twice.
     *
     *     Authentication is HTTP Basic: `account_id` and an API key of that account. The account has to be `active`.
     */
    post: operations['sendEmail'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/login': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Log in
     * @description Starts a session and returns its tokens (the password grant of RFC 6749). The access token goes into the `Authorization` header of every other
     *     operation but sending, and expires after `expires_in` seconds.
     *
     *     A wrong password and an unknown address get the same answer. Attempts are limited by the address of the client.
     */
    post: operations['login'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/logout': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Log out
     * @description Ends the session that the access token belongs to. Neither its access token nor its refresh token works from then on. Other sessions of the user go on. No body is needed, and one that comes is not read.
     */
    post: operations['logout'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/token/refresh': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Refresh an access token
     * @description Exchanges a refresh token for a new pair of tokens, as RFC 6749 describes. The old pair is of no use from then on. A refresh token that is presented a second time ends its session, since somebody else may hold a copy; log in again then. A refresh token is valid for 30 days.
     */
    post: operations['refreshToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/register': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register an organisation
     * @description Creates an organisation and its first user, who is an owner. Nothing is logged in by it: log in next. An email address belongs to one user of the whole service, so that one which is taken is refused.
     */
    post: operations['register'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/password_reset': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Request a password reset
     * @description Mails the user a token for setting a new password. The token is valid for one hour and works once; asking again makes the earlier one useless. The answer is the same whether or not there is such a user, and takes as long, so that nobody can find out who is one.
     */
    post: operations['requestPasswordReset'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/password_reset/confirm': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Set a new password
     * @description Sets a new password with the token from the mail. The token works once, and every session of the user ends, so that whoever knew the old password is out. Log in with the new one next.
     */
    post: operations['confirmPasswordReset'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/accounts': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List accounts
     * @description Returns the sending accounts, newest first.
     */
    get: operations['listAccounts'];
    put?: never;
    /**
     * Create an account
     * @description Creates a sending account. It starts `active` and without API keys. The type is chosen here and never changes.
     */
    post: operations['createAccount'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/accounts/{account_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
      };
      cookie?: never;
    };
    /**
     * Retrieve an account
     * @description Returns one sending account.
     */
    get: operations['getAccount'];
    put?: never;
    post?: never;
    /**
     * Delete an account
     * @description Deletes an account for good, with its API keys, suppressions, webhooks and message log. What is still waiting to be delivered is cancelled. Domains
     *     that were assigned to it remain.
     *
     *     Its identifier is unknown from then on (409).
     */
    delete: operations['deleteAccount'];
    options?: never;
    head?: never;
    /**
     * Change an account
     * @description Renames an account, and disables it or makes it active again when `status` is given. The name is required even when it stays the same. The type
     *     never changes; a `type` in the body is ignored.
     *
     *     The API keys of a disabled account are answered 403 from then on. What was accepted before is still delivered.
     */
    patch: operations['updateAccount'];
    trace?: never;
  };
  '/v1/accounts/{account_id}/api_keys': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List API keys
     * @description The API keys of an account, newest first. The keys themselves are not kept and cannot be shown; the first characters tell them apart.
     */
    get: operations['listApiKeys'];
    put?: never;
    /**
     * Create an API key
     * @description Creates a key that sends for the account. This answer is the only one that shows the key: keep it. An account may have several keys, so that one can be replaced without a gap.
     */
    post: operations['createApiKey'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/accounts/{account_id}/api_keys/{api_key_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke an API key
     * @description Revokes a key for good: the next request with it is refused. What was accepted with it is still delivered. The answer is the key record that was deleted.
     */
    delete: operations['revokeApiKey'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/accounts/{account_id}/webhooks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List webhooks
     * @description Returns the webhooks of an account, newest first, without their secrets.
     */
    get: operations['listWebhooks'];
    put?: never;
    /**
     * Create a webhook
     * @description From now on the events of the account's messages are sent to the URL: those named in `events`, or all seven. This answer is one of two that
     *     show the secret which the requests are signed with (the other is that of rotating it): keep it.
     *
     *     The URL must lead to a public address. That is judged again each time a connection is made, whatever the name resolves to then. Only
     *     `https` is taken, unless the operator of the service allows private addresses. An account has at most 100 webhooks.
     */
    post: operations['createWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/accounts/{account_id}/webhooks/{webhook_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a webhook
     * @description Returns one webhook, without its secret.
     */
    get: operations['getWebhook'];
    put?: never;
    post?: never;
    /**
     * Delete a webhook
     * @description Deletes a webhook for good, with its delivery log. What waits is not sent any more. The answer is the webhook that was deleted.
     */
    delete: operations['deleteWebhook'];
    options?: never;
    head?: never;
    /**
     * Change a webhook
     * @description Changes the URL, the events or the status; what is absent or `null` stays. Other events count from now on; notifications that wait go to the
     *     new URL.
     *
     *     A disabled webhook gets nothing, but its notifications are kept. Once it is enabled again, those of the last five days are sent; older ones
     *     end as failed, and can be replayed.
     */
    patch: operations['updateWebhook'];
    trace?: never;
  };
  '/v1/accounts/{account_id}/webhooks/{webhook_id}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the deliveries of a webhook
     * @description The delivery log: each notification for the webhook, newest first, with what was sent, every attempt and what came of it. It is kept as long
     *     as the message log.
     */
    get: operations['listWebhookDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/accounts/{account_id}/webhooks/{webhook_id}/replay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send notifications again
     * @description Sends notifications of the delivery log again: the one with `notification_id`, or those of a period whose status is in `statuses`, failed ones
     *     if nothing is said. Each keeps its `webhook-id`, so that a receiver knows what it has seen, and gets the whole schedule of attempts anew. One
     *     that waits is sent now.
     *
     *     At most 10,000 are taken by a call, the oldest first; `remaining` says how many are left.
     */
    post: operations['replayWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/accounts/{account_id}/webhooks/{webhook_id}/rotate_secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rotate the secret
     * @description Makes a new secret, shown in this answer. For `overlap_seconds` requests are signed with the old secrets too, so that a receiver can change
     *     over when it suits; 0 ends all of them at once. Up to five secrets are valid at a time.
     */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/accounts/{account_id}/webhooks/{webhook_id}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test event
     * @description Sends an event of a message that does not exist, signed like a real one; its `custom_id` is `test`, its addresses end in `example.com`. It is
     *     tried once. What came of it is in the delivery log a moment later.
     *
     *     A webhook that was disabled for failing, or because its receiver was gone, is enabled again by a test that arrives.
     */
    post: operations['testWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List domains
     * @description Returns the sending domains with their DNS records, newest first.
     */
    get: operations['listDomains'];
    put?: never;
    /**
     * Create a domain
     * @description Adds a sending domain and assigns it to accounts. Neither DKIM nor Return-Path is verified yet; both have to be before a message from the domain
     *     is accepted.
     *
     *     Publish three CNAME records: `dkim_selector_1` with the value `dkim_cname_1`, `dkim_selector_2` with `dkim_cname_2`, and `return_path_hostname`
     *     under the domain with `return_path_cname`. Then verify them. Names are compared without regard to case, and each can be added once in an
     *     organisation.
     */
    post: operations['createDomain'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domain_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the domain.
         * @example d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14
         */
        domain_id: components['parameters']['DomainId'];
      };
      cookie?: never;
    };
    /**
     * Retrieve a domain
     * @description Returns one sending domain with its DNS records and the state of their verification.
     */
    get: operations['getDomain'];
    put?: never;
    post?: never;
    /**
     * Delete a domain
     * @description Deletes a domain for good. No new mail is accepted from it; what was accepted before is still delivered, stays in the log, and can be searched for
     *     by the identifier of the domain.
     *
     *     The same name can be added again. It is a new domain then, with new records to publish.
     */
    delete: operations['deleteDomain'];
    options?: never;
    head?: never;
    /**
     * Change a domain
     * @description Assigns the domain to other accounts, and changes its Return-Path host when `return_path_hostname` is given. `accounts` is required and replaces
     *     all that were assigned before.
     *
     *     Another `return_path_hostname` is a record that nobody has seen yet: `return_path_verified_at` becomes `null`, and messages from the domain are
     *     rejected until it is verified again. The same one changes nothing.
     */
    patch: operations['updateDomain'];
    trace?: never;
  };
  '/v1/domains/{domain_id}/rotate_dkim': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the domain.
         * @example d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14
         */
        domain_id: components['parameters']['DomainId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rotate the DKIM key
     * @description Replaces the key that signs the domain's mail, without a gap and without a change of DNS records: the selector that does not sign gets a new
     *     key, and signs once that key is seen behind its CNAME record and the one before it has left the caches, which takes an hour or a little more.
     *     Until then the old key signs; after that it stays published for mail that is still on its way.
     *
     *     While a rotation waits, the call starts no other: it looks into the DNS at once and answers how far it is. For five days after a rotation
     *     another one is refused. No body is needed.
     */
    post: operations['rotateDomainDkim'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domain_id}/verify_dkim': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the domain.
         * @example d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14
         */
        domain_id: components['parameters']['DomainId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Verify the DKIM records
     * @description Looks up both DKIM records of the domain and the keys behind them. When they are as they should be, `dkim_verified_at` becomes the present time.
     *
     *     A failure is 409 and names, for each record, what was expected and what was found. It leaves an earlier verification as it was. Resolvers
     *     may answer from a cache for hours after a change; try again later. No body is needed.
     */
    post: operations['verifyDomainDkim'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/domains/{domain_id}/verify_return_path': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the domain.
         * @example d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14
         */
        domain_id: components['parameters']['DomainId'];
      };
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Verify the Return-Path record
     * @description Looks up the Return-Path record of the domain. When it is as it should be, `return_path_verified_at` becomes the present time.
     *
     *     A failure is 409 and names what was expected and what was found. It leaves an earlier verification as it was. Resolvers may answer from a
     *     cache for hours after a change; try again later. No body is needed.
     */
    post: operations['verifyDomainReturnPath'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/suppressions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List suppressions
     * @description Returns the suppressions of all accounts, or of those in `account_ids[]`, newest first. Without a period, entries of any age are returned. An account that does not exist is an error; a message or an address that nothing belongs to gives an empty page.
     */
    get: operations['listSuppressions'];
    put?: never;
    /**
     * Create a suppression
     * @description Puts an address on the list of an account, which rejects messages to it from then on. The type of the entry is `manual`. The same address can be suppressed in several accounts, but once in each; letter case makes no difference.
     */
    post: operations['createSuppression'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/suppressions/{suppression_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the suppression.
         * @example a93e5d17-6b04-4c2f-8e59-f17c0d82b6a4
         */
        suppression_id: components['parameters']['SuppressionId'];
      };
      cookie?: never;
    };
    /**
     * Retrieve a suppression
     * @description Returns one suppression.
     */
    get: operations['getSuppression'];
    put?: never;
    post?: never;
    /**
     * Delete a suppression
     * @description Takes an address off the list of its account for good, whatever put it there. The account delivers to it again, until the next hard bounce, complaint or unsubscribe.
     */
    delete: operations['deleteSuppression'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/messages': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List messages
     * @description Returns what was accepted for delivery in a period, newest first. The default is the last 60 days.
     *
     *     Filters narrow the list together. Accounts and domains have to exist, or to have existed in the case of a domain; a message, address or custom ID
     *     that nothing belongs to gives an empty page. Messages can be read while the log is kept; those of a deleted account cannot.
     */
    get: operations['listMessages'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/messages/export': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Export messages as CSV
     * @description Returns all messages of a period as one CSV file (RFC 4180, UTF-8), newest first. It takes the filters of the list, and always returns
     *     everything that matches; there are no pages.
     *
     *     The first line names the columns: `message_id`, `custom_id`, `recipient_email`, `from_email`, `subject`, `domain_id`, `account_id`, `domain_name`,
     *     `account_name`, `created_at`, `updated_at`, `opened_at`, `clicked_at`, `unsubscribed_at`, `delivery_status`, `spam_complaint_at`, `smtp_response`.
     *     The last one is the last reply of the remote server. What is `null` in the list is empty here.
     *
     *     A cell that a spreadsheet would take for a formula (one that starts with `=`, `+`, `-`, `@`, a tab or a carriage return) has an apostrophe before it.
     *
     *     A transfer that breaks off without its end mark is not complete.
     */
    get: operations['exportMessages'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/messages/{message_id}': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the message.
         * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
         */
        message_id: components['parameters']['MessageId'];
      };
      cookie?: never;
    };
    /**
     * Retrieve a message
     * @description Returns the log entry of one message. It holds no content.
     */
    get: operations['getMessage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/messages/{message_id}/events': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the message.
         * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
         */
        message_id: components['parameters']['MessageId'];
      };
      cookie?: never;
    };
    /**
     * List the events of a message
     * @description Returns what has happened to a message, newest first. The last event is always `new`. Delivery attempts, opens and clicks are listed each time they happen.
     */
    get: operations['listMessageEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/stats': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve statistics
     * @description Returns counts of a period, and on request the same counts for each account or each domain.
     *
     *     Messages are counted by the time they were accepted (`messages`, `track_opens`, `track_clicks`), everything else by the time it happened. The ends
     *     of the period belong to it and may be given in either order; a date stands for the whole of that day in UTC.
     *
     *     A breakdown lists every account (or domain), those without any activity included. A deleted domain stays in it while it has messages. Only one
     *     breakdown can be asked for at a time.
     */
    get: operations['getStats'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List users
     * @description The users of the organisation, newest first. A viewer may list them too.
     */
    get: operations['listUsers'];
    put?: never;
    /**
     * Create a user
     * @description Adds a user to the organisation, with a password to hand over. An owner may do everything, a viewer may only read. An email address belongs to one user of the whole service.
     */
    post: operations['createUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/v1/users/{user_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Retrieve a user
     * @description One user of the organisation. A viewer may read it too.
     */
    get: operations['getUser'];
    put?: never;
    post?: never;
    /**
     * Delete a user
     * @description Deletes a user for good and ends the sessions of that user. The last owner of an organisation cannot be deleted. The answer is the user that was deleted.
     */
    delete: operations['deleteUser'];
    options?: never;
    head?: never;
    /**
     * Change a user
     * @description Changes what the body names and leaves the rest. A new password or a new role ends the sessions of the user. The organisation keeps at least one owner, so that the last one cannot become a viewer.
     */
    patch: operations['updateUser'];
    trace?: never;
  };
}
export interface webhooks {
  'message.delivery': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A message was delivered
     * @description The receiving server has accepted the message.
     *
     *     The request is repeated until it is answered with a 2xx: after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, each a little
     *     sooner or later. What happened to one message is sent in its order, but a repetition holds nothing up: `webhook-id` tells repetitions
     *     apart, `received_at` orders events.
     */
    post: operations['onMessageDelivery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.hard_bounce': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A message bounced for good
     * @description The receiving server has refused the message for good, since the address does not exist. The address is now on the suppression list of
     *     the account, with the type `hard_bounce`.
     *
     *     The request is repeated until it is answered with a 2xx: after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, each a little
     *     sooner or later. What happened to one message is sent in its order, but a repetition holds nothing up: `webhook-id` tells repetitions
     *     apart, `received_at` orders events.
     */
    post: operations['onMessageHardBounce'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.soft_bounce': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A message bounced for now
     * @description A delivery attempt has failed for a reason that is not the address: a full mailbox, a policy, a server that is busy or out of reach. It
     *     may be followed by more of its kind while the delivery is tried again, or by `message.delivery`.
     *
     *     The request is repeated until it is answered with a 2xx: after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, each a little
     *     sooner or later. What happened to one message is sent in its order, but a repetition holds nothing up: `webhook-id` tells repetitions
     *     apart, `received_at` orders events.
     */
    post: operations['onMessageSoftBounce'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.spam_complaint': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A recipient complained of spam
     * @description The recipient has marked the message as spam. The address is now on the suppression list of the account, with the type `spam_complaint`.
     *
     *     The request is repeated until it is answered with a 2xx: after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, each a little
     *     sooner or later. What happened to one message is sent in its order, but a repetition holds nothing up: `webhook-id` tells repetitions
     *     apart, `received_at` orders events.
     */
    post: operations['onMessageSpamComplaint'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.unsubscribe': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A recipient unsubscribed
     * @description The recipient has used the unsubscribe feature of the mail program. The address is now on the suppression list of the account, with the
     *     type `unsubscribe`.
     *
     *     The request is repeated until it is answered with a 2xx: after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, each a little
     *     sooner or later. What happened to one message is sent in its order, but a repetition holds nothing up: `webhook-id` tells repetitions
     *     apart, `received_at` orders events.
     */
    post: operations['onMessageUnsubscribe'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.open': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A recipient opened a message
     * @description The recipient has opened a message that was sent with `track_opens`. It is sent for every opening, the first and each later one.
     *
     *     The request is repeated until it is answered with a 2xx: after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, each a little
     *     sooner or later. What happened to one message is sent in its order, but a repetition holds nothing up: `webhook-id` tells repetitions
     *     apart, `received_at` orders events.
     */
    post: operations['onMessageOpen'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'message.click': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * A recipient clicked a link
     * @description The recipient has followed a link in a message that was sent with `track_clicks`. It is sent for every click, the first and each later
     *     one.
     *
     *     The request is repeated until it is answered with a 2xx: after 5 seconds, 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, each a little
     *     sooner or later. What happened to one message is sent in its order, but a repetition holds nothing up: `webhook-id` tells repetitions
     *     apart, `received_at` orders events.
     */
    post: operations['onMessageClick'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    /** @description The body of a webhook request. `event` tells the kinds apart. */
    WebhookPayload:
      | components['schemas']['MessageDeliveryPayload']
      | components['schemas']['MessageHardBouncePayload']
      | components['schemas']['MessageSoftBouncePayload']
      | components['schemas']['MessageSpamComplaintPayload']
      | components['schemas']['MessageUnsubscribePayload']
      | components['schemas']['MessageOpenPayload']
      | components['schemas']['MessageClickPayload'];
    /**
     * Format: email
     * @description An email address. Its domain must have a dot. Addresses are compared without regard to case.
     * @example ada@customer.test
     */
    EmailAddress: string;
    /** @description The sender. */
    Sender: {
      /**
       * @description The address of the sender. Its domain must be a verified sending domain that is assigned to the account.
       * @example hello@demo.test
       */
      email: components['schemas']['EmailAddress'];
      /**
       * @description The name of the sender.
       * @example Demo Shop
       */
      name?: string | null;
    };
    /** @description The recipient. */
    Recipient: {
      /** @description The address of the recipient. */
      email: components['schemas']['EmailAddress'];
      /**
       * @description The name of the recipient.
       * @example Ada Marlow
       */
      name?: string | null;
    };
    /** @description The content. At least one of `html` and `text` must be there and not empty. */
    SendEmailBody: {
      /**
       * @description The content as HTML. Required when `text` is absent.
       * @example <p>Thank you for your order.</p>
       */
      html?: string | null;
      /**
       * @description The content as plain text. Required when `html` is absent.
       * @example Thank you for your order.
       */
      text?: string | null;
    };
    /** @description An address for replies. An entry without an address is ignored. */
    ReplyTo: {
      /**
       * Format: email
       * @description The address.
       * @example service@demo.test
       */
      email?: string | null;
      /**
       * @description The name shown with the address.
       * @example Customer service
       */
      name?: string | null;
    };
    /** @description One email to one recipient, 10 MB (10 × 2^20 bytes of HTML and text in UTF-8) at most. Unknown fields are ignored, and an optional field that is `null` counts as absent. */
    SendEmailMessage: {
      from: components['schemas']['Sender'];
      /** @description The recipient. It is an array for future expansion; only one is supported. */
      to: components['schemas']['Recipient'][];
      /**
       * @description The subject.
       * @example Your order 10042
       */
      subject: string;
      body: components['schemas']['SendEmailBody'];
      /**
       * @description Your own identifier. It comes back in the response, in events sent to your application and in the message log, which can be searched for it, and the email carries it in the header `X-Message-Custom-Id`.
       * @example order-10042
       */
      custom_id?: string | null;
      /**
       * @description Reject the message when the account has accepted one with the same `custom_id` within the last 72 hours, or earlier in this request. Ignored without a `custom_id`.
       * @default false
       * @example true
       */
      custom_id_unique?: boolean | null;
      /**
       * @description Add a tracking pixel to the HTML part. A message without HTML is sent as it is.
       * @default false
       * @example true
       */
      track_opens?: boolean | null;
      /**
       * @description Replace the `http` and `https` links of the HTML part by tracking links, which redirect to the original. The text part stays as it is.
       * @default false
       * @example true
       */
      track_clicks?: boolean | null;
      /**
       * @description The distribution list of the message. It goes into the header `List-Id`, and the headers of one-click unsubscribing (RFC 8058) give the mail client its unsubscribe button.
       * @example news.demo.test
       */
      list_id?: string | null;
      /** @description Where requests to unsubscribe go. The original request is forwarded to an email address; a recipient who opens the unsubscribe link is redirected to an `http` or `https` URL. The headers of the mail name the service's own addresses, so that every unsubscription is recorded and suppresses the recipient. */
      list_unsubscribe?: string | null;
      /** @description The addresses of the Reply-To header. */
      reply_to?: components['schemas']['ReplyTo'][] | null;
    };
    /** @description The messages to send, 50 MB (50 × 2^20 bytes) at most in all. Only the array itself is checked as a whole: each message is then checked by itself against `SendEmailMessage`, and a bad one is rejected alone. */
    SendEmailRequest: components['schemas']['SendEmailMessage'][];
    /**
     * Format: uuid
     * @description An identifier. Any letter case is accepted; identifiers leave in lower case.
     * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
     */
    Uuid: string;
    /**
     * @description What went wrong with a request.
     *
     *     | Code | Status | Meaning |
     *     |---|---|---|
     *     | `INVALID_JSON` | 400 | the body is not JSON, or there is none |
     *     | `INVALID_CREDENTIALS` | 401 | the login, access token, refresh token or API key is wrong |
     *     | `ACCESS_DENIED` | 403 | the resource belongs to somebody else, the account is disabled, or a viewer tried to write |
     *     | `ENDPOINT_NOT_FOUND` | 404 | there is no such method and path |
     *     | `ACCOUNT_NOT_FOUND` | 409 | there is no such account |
     *     | `DOMAIN_NOT_FOUND` | 409 | there is no such domain |
     *     | `SUPPRESSION_NOT_FOUND` | 409 | there is no such suppression |
     *     | `MESSAGE_NOT_FOUND` | 409 | there is no such message |
     *     | `USER_NOT_FOUND` | 409 | there is no such user |
     *     | `API_KEY_NOT_FOUND` | 409 | there is no such API key |
     *     | `WEBHOOK_NOT_FOUND` | 409 | there is no such webhook |
     *     | `NOTIFICATION_NOT_FOUND` | 409 | the webhook has no such notification in its log |
     *     | `PASSWORD_RESET_NOT_FOUND` | 409 | the token of a password reset is unknown, used or expired |
     *     | `ENTITY_EXISTS` | 409 | there is such an object already |
     *     | `DKIM_NOT_VERIFIED` | 409 | the DKIM records were not found as they should be |
     *     | `DKIM_ROTATED_RECENTLY` | 409 | the domain's DKIM key is new, and the one before it still needed |
     *     | `RETURN_PATH_NOT_VERIFIED` | 409 | the Return-Path record was not found as it should be |
     *     | `WEBHOOK_DISABLED` | 409 | the webhook must be enabled first |
     *     | `WEBHOOK_LIMIT_REACHED` | 409 | an account has at most 100 webhooks |
     *     | `SECRET_ROTATED_RECENTLY` | 409 | as many secrets of the webhook are valid as there may be |
     *     | `LAST_OWNER` | 409 | an organisation must keep at least one owner |
     *     | `VALIDATION_ERROR` | 422 | fields or parameters are missing or malformed, or the request is too large |
     *     | `BODY_NOT_ARRAY` | 422 | the body must be an array of messages |
     *     | `BODY_EMPTY_ARRAY` | 422 | the body has no message |
     *     | `RATE_LIMIT_EXCEEDED` | 429 | too many requests within a minute |
     *     | `INTERNAL_SERVER_ERROR` | 500 | the service failed |
     * @example ACCOUNT_NOT_FOUND
     * @enum {string}
     */
    ErrorCode:
      | 'INVALID_JSON'
      | 'INVALID_CREDENTIALS'
      | 'ACCESS_DENIED'
      | 'ENDPOINT_NOT_FOUND'
      | 'ACCOUNT_NOT_FOUND'
      | 'DOMAIN_NOT_FOUND'
      | 'SUPPRESSION_NOT_FOUND'
      | 'MESSAGE_NOT_FOUND'
      | 'USER_NOT_FOUND'
      | 'API_KEY_NOT_FOUND'
      | 'WEBHOOK_NOT_FOUND'
      | 'NOTIFICATION_NOT_FOUND'
      | 'PASSWORD_RESET_NOT_FOUND'
      | 'ENTITY_EXISTS'
      | 'DKIM_NOT_VERIFIED'
      | 'DKIM_ROTATED_RECENTLY'
      | 'RETURN_PATH_NOT_VERIFIED'
      | 'WEBHOOK_DISABLED'
      | 'WEBHOOK_LIMIT_REACHED'
      | 'SECRET_ROTATED_RECENTLY'
      | 'LAST_OWNER'
      | 'VALIDATION_ERROR'
      | 'BODY_NOT_ARRAY'
      | 'BODY_EMPTY_ARRAY'
      | 'RATE_LIMIT_EXCEEDED'
      | 'INTERNAL_SERVER_ERROR';
    /**
     * @description Why a message was rejected. The first that applies, in this order:
     *
     *     | Code | Meaning |
     *     |---|---|
     *     | `VALIDATION_ERROR` | fields of the message are missing or malformed |
     *     | `MULTIPLE_RECIPIENTS_NOT_SUPPORTED` | the message is well formed, but has several recipients |
     *     | `SENDING_DOMAIN_NOT_FOUND` | the domain of the sender's address is none of yours |
     *     | `SENDING_DOMAIN_NOT_ASSIGNED` | the domain is not assigned to the account |
     *     | `SENDING_DOMAIN_NOT_VERIFIED` | the DKIM or Return-Path records of the domain are not verified |
     *     | `EMAIL_SUPPRESSED` | the account suppresses the recipient |
     *     | `CUSTOM_ID_NOT_UNIQUE` | `custom_id_unique` was asked for, and the custom ID is in use |
     * @example EMAIL_SUPPRESSED
     * @enum {string}
     */
    MessageRejectionCode:
      | 'VALIDATION_ERROR'
      | 'MULTIPLE_RECIPIENTS_NOT_SUPPORTED'
      | 'SENDING_DOMAIN_NOT_FOUND'
      | 'SENDING_DOMAIN_NOT_ASSIGNED'
      | 'SENDING_DOMAIN_NOT_VERIFIED'
      | 'EMAIL_SUPPRESSED'
      | 'CUSTOM_ID_NOT_UNIQUE';
    /**
     * @description What is wrong with a field or parameter.
     *
     *     | Code | Meaning |
     *     |---|---|
     *     | `REQUIRED` | it is missing, `null`, or an empty list |
     *     | `MIN` | it is too small or too short |
     *     | `MAX` | it is too large or too long |
     *     | `STRING` | it must be a string |
     *     | `INTEGER` | it must be an integer |
     *     | `BOOL` | it must be `true` or `false` |
     *     | `ARRAY` | it must be an array |
     *     | `OBJECT` | it must be an object |
     *     | `CHOICE` | it must be one of the values allowed |
     *     | `UUID` | it must be a UUID |
     *     | `URL` | it must be a URL |
     *     | `TIMESTAMP` | it must be a timestamp with an offset or a date, whichever is asked for |
     *     | `HOSTNAME` | it must be a host name |
     *     | `INVALID_EMAIL` | it must be an email address |
     *     | `INVALID_LIST_UNSUBSCRIBE` | it must be an email address, or an `http` or `https` URL |
     *     | `MULTIPLE_RECIPIENTS_NOT_SUPPORTED` | it must have one recipient |
     *     | `CONTROL_CHARACTER` | it must not contain NUL nor, in a single line, a line break |
     *     | `CONFLICT` | it contradicts another parameter |
     *     | `DUPLICATE` | it must be given once |
     * @example REQUIRED
     * @enum {string}
     */
    FieldErrorCode:
      | 'REQUIRED'
      | 'MIN'
      | 'MAX'
      | 'STRING'
      | 'INTEGER'
      | 'BOOL'
      | 'ARRAY'
      | 'OBJECT'
      | 'CHOICE'
      | 'UUID'
      | 'URL'
      | 'TIMESTAMP'
      | 'HOSTNAME'
      | 'INVALID_EMAIL'
      | 'INVALID_LIST_UNSUBSCRIBE'
      | 'MULTIPLE_RECIPIENTS_NOT_SUPPORTED'
      | 'CONTROL_CHARACTER'
      | 'CONFLICT'
      | 'DUPLICATE';
    /** @description One fault of a request or of a message as a whole. */
    ErrorDetail: {
      /** @description What is wrong, for programs. */
      code:
        | components['schemas']['ErrorCode']
        | components['schemas']['MessageRejectionCode']
        | components['schemas']['FieldErrorCode'];
      /**
       * @description What is wrong, for people. The wording may change.
       * @example the account does not exist
       */
      description: string;
    };
    /** @description A message that was accepted for delivery. From here on the service keeps it until it is delivered or given up. */
    AcceptedMessage: {
      /**
       * @description The identifier that the message has from now on.
       * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
       */
      message_id: components['schemas']['Uuid'];
      /**
       * @description The custom ID given, or `""`.
       * @example order-10042
       */
      custom_id: string;
      /**
       * @description Always `accepted`.
       * @example accepted
       * @constant
       */
      status: 'accepted';
      /** @description Always empty. */
      errors: components['schemas']['ErrorDetail'][];
    };
    /** @description An empty object. Sending reports no timing. */
    EmptyMeta: Record<string, never>;
    /** @description Every message was accepted. The items stand in the order of the request. */
    SendEmailAcceptedResponse: {
      /** @description One item for each message submitted. */
      data: components['schemas']['AcceptedMessage'][];
      meta: components['schemas']['EmptyMeta'];
    };
    /** @description One fault of a field or parameter. */
    FieldErrorDetail: {
      code: components['schemas']['FieldErrorCode'];
      /**
       * @description What is wrong, for people. The wording may change.
       * @example must be an email address
       */
      description: string;
    };
    /** @description The faults of one field or parameter. */
    FieldError: {
      /**
       * @description Where the fault is, as a path such as `to[0].email`, or the name of a parameter. `""` means the body itself.
       * @example to[0].email
       */
      field: string;
      /**
       * @description What was sent, cut at 255 characters; `""` when nothing was sent, or no single value. Passwords and tokens are never shown.
       * @example ada@customer
       */
      value: string | number | boolean;
      /** @description What is wrong with it. */
      errors: components['schemas']['FieldErrorDetail'][];
    };
    /** @description A message that was not accepted. Nothing of it is kept. */
    RejectedMessage: {
      /**
       * @description Always `""`. A rejected message has no identifier.
       * @example
       * @constant
       */
      message_id: '';
      /**
       * @description The custom ID given, or `""` when there was none or it is itself at fault.
       * @example order-10043
       */
      custom_id: string;
      /**
       * @description Always `rejected`.
       * @example rejected
       * @constant
       */
      status: 'rejected';
      code: components['schemas']['MessageRejectionCode'];
      /** @description What is wrong. Faults of fields name the field, faults of the message as a whole do not. */
      errors: (components['schemas']['FieldError'] | components['schemas']['ErrorDetail'])[];
    };
    /** @description What became of one message. `status` tells the two kinds apart. */
    SendEmailResult: components['schemas']['AcceptedMessage'] | components['schemas']['RejectedMessage'];
    /** @description The fate of every message, in the order of the request. */
    SendEmailResponse: {
      /** @description One item for each message submitted. */
      data: components['schemas']['SendEmailResult'][];
      meta: components['schemas']['EmptyMeta'];
    };
    /** @description Facts about the response. */
    Meta: {
      /**
       * @description How long the server worked on the request, in seconds.
       * @example 0.0042s
       */
      rq_time: string;
    };
    /** @description The body of an error that concerns the request as a whole. */
    Error: {
      /** @description What went wrong. */
      data: {
        code: components['schemas']['ErrorCode'];
        /** @description The faults, at least one. */
        errors: components['schemas']['ErrorDetail'][];
      };
      meta: components['schemas']['Meta'];
    };
    /** @description The credentials of a user. Unknown fields are ignored. */
    LoginRequest: {
      /**
       * @description The address of the user.
       * @example owner@demo.test
       */
      email: components['schemas']['EmailAddress'];
      /**
       * Format: password
       * @description The password of the user.
       * @example correct horse battery staple
       */
      password: string;
      /**
       * @description Always `password`.
       * @example password
       * @constant
       */
      grant_type: 'password';
    };
    /** @description The tokens of a session, in the form of RFC 6749. They are opaque. */
    Token: {
      /**
       * @description Always `Bearer`.
       * @example Bearer
       * @constant
       */
      token_type: 'Bearer';
      /**
       * @description How long the access token is valid, in seconds.
       * @example 3600
       */
      expires_in: number;
      /**
       * @description The token for the `Authorization` header.
       * @example ss_at_4fQ9sYb7LkT2xRc0WmZpD6uHj8VnEa3gKoXiC5dPqBw
       */
      access_token: string;
      /**
       * @description The token that gets the next access token.
       * @example ss_rt_n3VQx0yq5bW9oK2tYcZrE8mUaJ4hLdP7sGfXiB1wTkA
       */
      refresh_token: string;
    };
    /** @description The body of an error that lists the faulty fields or parameters. */
    ValidationError: {
      /** @description What went wrong. */
      data: {
        /**
         * @description Always `VALIDATION_ERROR`.
         * @example VALIDATION_ERROR
         * @constant
         */
        code: 'VALIDATION_ERROR';
        /** @description One entry for each field at fault. */
        errors: components['schemas']['FieldError'][];
      };
      meta: components['schemas']['Meta'];
    };
    /** @description The answer of an operation that has nothing to return. */
    OkResponse: {
      /**
       * @description Always `OK`.
       * @example OK
       * @constant
       */
      data: 'OK';
      meta: components['schemas']['Meta'];
    };
    /** @description A refresh token to exchange. Unknown fields are ignored. */
    RefreshRequest: {
      /**
       * Format: password
       * @description The refresh token of the last login or refresh.
       * @example ss_rt_n3VQx0yq5bW9oK2tYcZrE8mUaJ4hLdP7sGfXiB1wTkA
       */
      refresh_token: string;
      /**
       * @description Always `refresh_token`.
       * @example refresh_token
       * @constant
       */
      grant_type: 'refresh_token';
    };
    /**
     * @description The name of an organisation.
     * @example Demo Shop
     */
    OrganisationName: string;
    /**
     * @description The name of a person.
     * @example Grace Okafor
     */
    UserName: string;
    /**
     * Format: password
     * @description A password to set, 8 to 1024 characters long. No other rule applies.
     * @example correct horse battery staple
     */
    NewPassword: string;
    /** @description A new organisation and its first user. Unknown fields are ignored. */
    RegisterRequest: {
      organisation_name: components['schemas']['OrganisationName'];
      name: components['schemas']['UserName'];
      /**
       * @description The address of the user, for logging in.
       * @example owner@demo.test
       */
      email: components['schemas']['EmailAddress'];
      password: components['schemas']['NewPassword'];
    };
    /**
     * Format: date-time
     * @description A moment in ISO 8601 (RFC 3339), always with an offset. This service writes microseconds and the offset `+00:00`.
     * @example 2026-03-14T09:26:53.589793+00:00
     */
    Timestamp: string;
    /** @description What owns accounts, domains and users. Nothing of one organisation is visible to another. */
    Organisation: {
      /**
       * @description The identifier of the organisation.
       * @example 52ae7c08-f61b-4d39-8c04-1b9d6e3a75f2
       */
      organisation_id: components['schemas']['Uuid'];
      name: components['schemas']['OrganisationName'];
      /** @description When it registered. */
      created_at: components['schemas']['Timestamp'];
    };
    /**
     * @description An `owner` may do everything, a `viewer` may only read.
     * @example viewer
     * @enum {string}
     */
    UserRole: 'owner' | 'viewer';
    /** @description A person who can log in. */
    User: {
      /**
       * @description The identifier of the user.
       * @example 3b9a61f8-47d2-4e0c-b5a9-c81f2e70d364
       */
      user_id: components['schemas']['Uuid'];
      /**
       * @description The address for logging in. No other user of the service has it.
       * @example owner@demo.test
       */
      email: components['schemas']['EmailAddress'];
      name: components['schemas']['UserName'];
      role: components['schemas']['UserRole'];
      /** @description When the user was created. */
      created_at: components['schemas']['Timestamp'];
    };
    /** @description A new organisation and its first user, who is an owner. */
    Registration: {
      organisation: components['schemas']['Organisation'];
      user: components['schemas']['User'];
    };
    /** @description A new organisation. */
    RegistrationResponse: {
      data: components['schemas']['Registration'];
      meta: components['schemas']['Meta'];
    };
    /** @description The user who has forgotten the password. Unknown fields are ignored. */
    PasswordResetRequest: {
      /**
       * @description The address of the user.
       * @example owner@demo.test
       */
      email: components['schemas']['EmailAddress'];
    };
    /** @description The proof that was mailed, and the new password. Unknown fields are ignored. */
    PasswordResetConfirm: {
      /**
       * Format: password
       * @description The token from the mail. It works once.
       * @example ss_pr_8KdT1vYqLw5mZx2RbN6sHc9JfUo3GaEi7PnXk0WtMyC
       */
      token: string;
      password: components['schemas']['NewPassword'];
    };
    /**
     * @description What the account sends. It is chosen at creation and never changes.
     * @example transactional
     * @enum {string}
     */
    AccountType: 'transactional' | 'marketing';
    /**
     * @description The name of a sending account. Names need not be unique.
     * @example Shop orders
     */
    AccountName: string;
    /**
     * @description A new account is `active`. The API keys of a `disabled` account are answered 403.
     * @example active
     * @enum {string}
     */
    AccountStatus: 'active' | 'disabled';
    /** @description A sending account. It has its own API keys, message log and suppression list. */
    Account: {
      /** @description The identifier of the account, and the user name for sending with its API keys. */
      account_id: components['schemas']['Uuid'];
      name: components['schemas']['AccountName'];
      status: components['schemas']['AccountStatus'];
      type: components['schemas']['AccountType'];
    };
    /** @description The position of a page in the whole list. */
    ListMeta: {
      /**
       * @description The page size that was applied.
       * @example 30
       */
      limit: number;
      /**
       * @description How many objects were skipped.
       * @example 0
       */
      offset: number;
      /**
       * @description How many objects match the filters, on all pages. The number is exact.
       * @example 2
       */
      total: number;
      /**
       * @description How long the server worked on the request, in seconds.
       * @example 0.0042s
       */
      rq_time: string;
    };
    /** @description A page of accounts. */
    AccountListResponse: {
      /** @description The page, newest first. */
      data: components['schemas']['Account'][];
      meta: components['schemas']['ListMeta'];
    };
    /** @description A sending account to create. Unknown fields are ignored. */
    AccountCreate: {
      name: components['schemas']['AccountName'];
      type: components['schemas']['AccountType'];
    };
    /** @description One account. */
    AccountResponse: {
      data: components['schemas']['Account'];
      meta: components['schemas']['Meta'];
    };
    /** @description Changes to a sending account. Unknown fields are ignored, `type` among them, since it never changes. */
    AccountUpdate: {
      name: components['schemas']['AccountName'];
      /**
       * @description Disables the account or makes it active again. Left as it is when absent or `null`.
       * @example disabled
       * @enum {string|null}
       */
      status?: 'active' | 'disabled' | null;
    };
    /**
     * @description What the key is for, in your own words.
     * @example Web shop
     */
    ApiKeyName: string;
    /** @description An API key of an account. The key itself is not kept. */
    ApiKey: {
      /**
       * @description The identifier of the key.
       * @example c60f29b7-8e14-4a5d-97c3-06d1ba52ef89
       */
      api_key_id: components['schemas']['Uuid'];
      /** @description The account that the key sends for. */
      account_id: components['schemas']['Uuid'];
      name: components['schemas']['ApiKeyName'];
      /**
       * @description The first characters of the key, to recognise it by.
       * @example ss_key_Zt7Q
       */
      prefix: string;
      /** @description When the key was created. */
      created_at: components['schemas']['Timestamp'];
      /**
       * Format: date-time
       * @description When the key was last used, to the minute; `null` while it was not.
       * @example 2026-03-14T09:26:53.589793+00:00
       */
      last_used_at: string | null;
    };
    /** @description A page of API keys. */
    ApiKeyListResponse: {
      /** @description The page, newest first. */
      data: components['schemas']['ApiKey'][];
      meta: components['schemas']['ListMeta'];
    };
    /** @description An API key to create. Unknown fields are ignored. */
    ApiKeyCreate: {
      name: components['schemas']['ApiKeyName'];
    };
    /** @description A new API key, with the key itself. It is shown this once. */
    CreatedApiKey: {
      /**
       * @description The identifier of the key.
       * @example c60f29b7-8e14-4a5d-97c3-06d1ba52ef89
       */
      api_key_id: components['schemas']['Uuid'];
      /** @description The account that the key sends for. */
      account_id: components['schemas']['Uuid'];
      name: components['schemas']['ApiKeyName'];
      /**
       * @description The first characters of the key, to recognise it by.
       * @example ss_key_Zt7Q
       */
      prefix: string;
      /**
       * @description The key, the password for sending. Keep it now; it cannot be shown again.
       * @example ss_key_Zt7QmB4xW1nKp9VcRj6LyUe2HsDa0FgTi5XoC8dNq3E
       */
      api_key: string;
      /** @description When the key was created. */
      created_at: components['schemas']['Timestamp'];
      /**
       * Format: date-time
       * @description When the key was last used, to the minute; `null` while it was not.
       * @example 2026-03-14T09:26:53.589793+00:00
       */
      last_used_at: string | null;
    };
    /** @description A new API key. */
    CreatedApiKeyResponse: {
      data: components['schemas']['CreatedApiKey'];
      meta: components['schemas']['Meta'];
    };
    /** @description One API key. */
    ApiKeyResponse: {
      data: components['schemas']['ApiKey'];
      meta: components['schemas']['Meta'];
    };
    /**
     * Format: uri
     * @description Where notifications are sent by POST. It must lead to a public address, and to `https`, unless the operator allows otherwise; it may hold no user name or password.
     * @example https://shop.demo.test/hooks/mail
     */
    WebhookUrl: string;
    /**
     * @description What a notification tells of.
     * @example message.open
     * @enum {string}
     */
    WebhookEvent:
      | 'message.delivery'
      | 'message.hard_bounce'
      | 'message.soft_bounce'
      | 'message.spam_complaint'
      | 'message.unsubscribe'
      | 'message.open'
      | 'message.click';
    /**
     * @description Whether notifications are sent.
     * @example enabled
     * @enum {string}
     */
    WebhookStatus: 'enabled' | 'disabled';
    /** @description A change of a webhook's status, and what made it. */
    WebhookStatusChange: {
      /** @description When it changed. */
      changed_at: components['schemas']['Timestamp'];
      status: components['schemas']['WebhookStatus'];
      /**
       * @description What made the change.
       *
       *     | Reason | Meaning |
       *     |---|---|
       *     | `created` | the webhook is new |
       *     | `requested` | somebody changed it |
       *     | `gone` | the receiver answered 410 |
       *     | `failing` | for five days no attempt had succeeded |
       *     | `recovered` | a test arrived |
       * @example created
       * @enum {string}
       */
      reason: 'created' | 'requested' | 'gone' | 'failing' | 'recovered';
    };
    /** @description A webhook: where the events of an account are sent. */
    Webhook: {
      /**
       * @description The identifier of the webhook.
       * @example b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31
       */
      webhook_id: components['schemas']['Uuid'];
      /** @description The account whose events are sent. */
      account_id: components['schemas']['Uuid'];
      url: components['schemas']['WebhookUrl'];
      /** @description The events that are sent. */
      events: components['schemas']['WebhookEvent'][];
      status: components['schemas']['WebhookStatus'];
      /**
       * Format: date-time
       * @description Since when every attempt has failed; `null` while they succeed.
       * @example 2026-03-14T09:31:55.115902+00:00
       */
      failing_since: string | null;
      /** @description How the status came about, newest first; the last 20 changes. */
      status_changes: components['schemas']['WebhookStatusChange'][];
      /** @description When the webhook was created. */
      created_at: components['schemas']['Timestamp'];
      /** @description When its URL, events or status last changed. */
      updated_at: components['schemas']['Timestamp'];
    };
    /** @description A page of webhooks. */
    WebhookListResponse: {
      /** @description The page, newest first. */
      data: components['schemas']['Webhook'][];
      meta: components['schemas']['ListMeta'];
    };
    /** @description A webhook to create. Unknown fields are ignored. */
    WebhookCreate: {
      url: components['schemas']['WebhookUrl'];
      /**
       * @description The events to send; all seven when absent or `null`.
       * @example [
       *       "message.open",
       *       "message.click"
       *     ]
       */
      events?: components['schemas']['WebhookEvent'][] | null;
    };
    /** @description A new webhook, with its secret. */
    CreatedWebhook: {
      /**
       * @description The identifier of the webhook.
       * @example b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31
       */
      webhook_id: components['schemas']['Uuid'];
      /** @description The account whose events are sent. */
      account_id: components['schemas']['Uuid'];
      url: components['schemas']['WebhookUrl'];
      /** @description The events that are sent. */
      events: components['schemas']['WebhookEvent'][];
      status: components['schemas']['WebhookStatus'];
      /**
       * @description The secret that requests are signed with, in the form of Standard Webhooks: `whsec_` and the key in Base64. Keep it now; it cannot be shown again.
       * @example whsec_Yf3mQ8sVtK1xWcZ9LrN5uHbE2jPaGd70oTiXwBvCq4M=
       */
      secret: string;
      /**
       * Format: date-time
       * @description Since when every attempt has failed; `null` while they succeed.
       * @example 2026-03-14T09:31:55.115902+00:00
       */
      failing_since: string | null;
      /** @description How the status came about, newest first; the last 20 changes. */
      status_changes: components['schemas']['WebhookStatusChange'][];
      /** @description When the webhook was created. */
      created_at: components['schemas']['Timestamp'];
      /** @description When its URL, events or status last changed. */
      updated_at: components['schemas']['Timestamp'];
    };
    /** @description A new webhook, with its secret. */
    CreatedWebhookResponse: {
      data: components['schemas']['CreatedWebhook'];
      meta: components['schemas']['Meta'];
    };
    /** @description A webhook. */
    WebhookResponse: {
      data: components['schemas']['Webhook'];
      meta: components['schemas']['Meta'];
    };
    /** @description Changes to a webhook. What is absent or `null` stays as it is; unknown fields are ignored. */
    WebhookUpdate: {
      /**
       * Format: uri
       * @description The new URL.
       * @example https://shop.demo.test/hooks/mail/v2
       */
      url?: string | null;
      /**
       * @description The events to send from now on.
       * @example [
       *       "message.open",
       *       "message.click"
       *     ]
       */
      events?: components['schemas']['WebhookEvent'][] | null;
      /**
       * @description Disables the webhook or enables it again.
       * @example disabled
       * @enum {string|null}
       */
      status?: 'enabled' | 'disabled' | null;
    };
    /**
     * @description How a notification stands.
     *
     *     | Status | Meaning |
     *     |---|---|
     *     | `pending` | it waits for an attempt, or for its webhook to be enabled |
     *     | `delivered` | it was answered with a 2xx |
     *     | `failed` | no further attempt is made, unless it is replayed |
     * @example delivered
     * @enum {string}
     */
    WebhookDeliveryStatus: 'pending' | 'delivered' | 'failed';
    /** @description A moment with an offset, or a date without a time, which stands for that whole day in UTC. In a query string the `+` of an offset has to be written `%2B`. */
    TimestampOrDate: string;
    /** @description The receiving server accepted the message. */
    MessageDeliveryPayload: {
      /** @description The account the message was sent by. */
      account_id: components['schemas']['Uuid'];
      /**
       * @description The custom ID given at sending, or `""`.
       * @example order-10042
       */
      custom_id: string;
      /**
       * @description The kind of the event.
       * @example message.delivery
       * @constant
       */
      event: 'message.delivery';
      /**
       * @description The address in the From header.
       * @example hello@demo.test
       */
      from_email: components['schemas']['EmailAddress'];
      /**
       * @description The message it happened to.
       * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
       */
      message_id: components['schemas']['Uuid'];
      /** @description When it happened. */
      received_at: components['schemas']['Timestamp'];
      /** @description The address of the recipient. */
      recipient_email: components['schemas']['EmailAddress'];
    };
    /** @description An attempt to deliver the message ended in a hard bounce. */
    MessageHardBouncePayload: {
      /** @description The account the message was sent by. */
      account_id: components['schemas']['Uuid'];
      /**
       * @description The custom ID given at sending, or `""`.
       * @example order-10042
       */
      custom_id: string;
      /**
       * @description The kind of the event.
       * @example message.hard_bounce
       * @constant
       */
      event: 'message.hard_bounce';
      /**
       * @description The address in the From header.
       * @example hello@demo.test
       */
      from_email: components['schemas']['EmailAddress'];
      /**
       * @description The message it happened to.
       * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
       */
      message_id: components['schemas']['Uuid'];
      /** @description When it happened. */
      received_at: components['schemas']['Timestamp'];
      /** @description The address of the recipient. */
      recipient_email: components['schemas']['EmailAddress'];
    };
    /** @description An attempt to deliver the message ended in a soft bounce. */
    MessageSoftBouncePayload: {
      /** @description The account the message was sent by. */
      account_id: components['schemas']['Uuid'];
      /**
       * @description The custom ID given at sending, or `""`.
       * @example order-10042
       */
      custom_id: string;
      /**
       * @description The kind of the event.
       * @example message.soft_bounce
       * @constant
       */
      event: 'message.soft_bounce';
      /**
       * @description The address in the From header.
       * @example hello@demo.test
       */
      from_email: components['schemas']['EmailAddress'];
      /**
       * @description The message it happened to.
       * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
       */
      message_id: components['schemas']['Uuid'];
      /** @description When it happened. */
      received_at: components['schemas']['Timestamp'];
      /** @description The address of the recipient. */
      recipient_email: components['schemas']['EmailAddress'];
    };
    /** @description The recipient reported the message as spam. */
    MessageSpamComplaintPayload: {
      /** @description The account the message was sent by. */
      account_id: components['schemas']['Uuid'];
      /**
       * @description The custom ID given at sending, or `""`.
       * @example order-10042
       */
      custom_id: string;
      /**
       * @description The kind of the event.
       * @example message.spam_complaint
       * @constant
       */
      event: 'message.spam_complaint';
      /**
       * @description The address in the From header.
       * @example hello@demo.test
       */
      from_email: components['schemas']['EmailAddress'];
      /**
       * @description The message it happened to.
       * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
       */
      message_id: components['schemas']['Uuid'];
      /** @description When it happened. */
      received_at: components['schemas']['Timestamp'];
      /** @description The address of the recipient. */
      recipient_email: components['schemas']['EmailAddress'];
    };
    /** @description The recipient unsubscribed with the button of the mail client. */
    MessageUnsubscribePayload: {
      /** @description The account the message was sent by. */
      account_id: components['schemas']['Uuid'];
      /**
       * @description The custom ID given at sending, or `""`.
       * @example order-10042
       */
      custom_id: string;
      /**
       * @description The kind of the event.
       * @example message.unsubscribe
       * @constant
       */
      event: 'message.unsubscribe';
      /**
       * @description The address in the From header.
       * @example hello@demo.test
       */
      from_email: components['schemas']['EmailAddress'];
      /**
       * @description The message it happened to.
       * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
       */
      message_id: components['schemas']['Uuid'];
      /** @description When it happened. */
      received_at: components['schemas']['Timestamp'];
      /** @description The address of the recipient. */
      recipient_email: components['schemas']['EmailAddress'];
      /**
       * @description The value of the List-Id header, or `""`.
       * @example news.demo.test
       */
      list_id: string;
    };
    /** @description The recipient opened the message. */
    MessageOpenPayload: {
      /** @description The account the message was sent by. */
      account_id: components['schemas']['Uuid'];
      /**
       * @description The custom ID given at sending, or `""`.
       * @example order-10042
       */
      custom_id: string;
      /**
       * @description The kind of the event.
       * @example message.open
       * @constant
       */
      event: 'message.open';
      /**
       * @description The address in the From header.
       * @example hello@demo.test
       */
      from_email: components['schemas']['EmailAddress'];
      /**
       * @description The message it happened to.
       * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
       */
      message_id: components['schemas']['Uuid'];
      /** @description When it happened. */
      received_at: components['schemas']['Timestamp'];
      /** @description The address of the recipient. */
      recipient_email: components['schemas']['EmailAddress'];
      /**
       * @description The User-Agent header of the browser, or `""`.
       * @example Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0
       */
      user_agent: string;
      /**
       * @description The IP address of the device, version 4 or 6.
       * @example 203.0.113.24
       */
      user_ip: string;
    };
    /** @description The recipient followed a link in the message. */
    MessageClickPayload: {
      /** @description The account the message was sent by. */
      account_id: components['schemas']['Uuid'];
      /**
       * @description The custom ID given at sending, or `""`.
       * @example order-10042
       */
      custom_id: string;
      /**
       * @description The kind of the event.
       * @example message.click
       * @constant
       */
      event: 'message.click';
      /**
       * @description The address in the From header.
       * @example hello@demo.test
       */
      from_email: components['schemas']['EmailAddress'];
      /**
       * @description The message it happened to.
       * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
       */
      message_id: components['schemas']['Uuid'];
      /** @description When it happened. */
      received_at: components['schemas']['Timestamp'];
      /** @description The address of the recipient. */
      recipient_email: components['schemas']['EmailAddress'];
      /**
       * @description The User-Agent header of the browser, or `""`.
       * @example Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0
       */
      user_agent: string;
      /**
       * @description The IP address of the device, version 4 or 6.
       * @example 203.0.113.24
       */
      user_ip: string;
      /**
       * Format: uri
       * @description The address that the recipient was sent to.
       * @example https://www.demo.test/orders/10042
       */
      tracking_url_destination: string;
    };
    /** @description An attempt to deliver a notification. */
    WebhookAttempt: {
      /** @description When it was made. */
      attempted_at: components['schemas']['Timestamp'];
      /**
       * @description The URL that it was made to.
       * @example https://shop.demo.test/hooks/mail
       */
      url: string;
      /**
       * @description How long it took, in milliseconds.
       * @example 48
       */
      duration_ms: number;
      /**
       * @description The HTTP status of the answer; `null` when there was none.
       * @example 200
       */
      status_code: number | null;
      /**
       * @description What came of it.
       *
       *     | Result | Meaning |
       *     |---|---|
       *     | `delivered` | answered with a 2xx |
       *     | `rejected` | answered with another status |
       *     | `redirected` | answered with a redirect, which is not followed |
       *     | `gone` | answered with 410: the webhook is disabled |
       *     | `timed_out` | no answer within 15 seconds |
       *     | `unreachable` | no connection: the name, the address, TLS, or the connection failed |
       *     | `forbidden_address` | the name leads to an address that is not public: nothing was sent |
       *     | `invalid_payload` | the service would have broken its contract: nothing was sent |
       * @example delivered
       * @enum {string}
       */
      result:
        | 'delivered'
        | 'rejected'
        | 'redirected'
        | 'gone'
        | 'timed_out'
        | 'unreachable'
        | 'forbidden_address'
        | 'invalid_payload';
      /**
       * @description The beginning of the answer's body, or why there was none.
       * @example ok
       */
      response: string;
    };
    /** @description A notification for a webhook, and what became of it. */
    WebhookDelivery: {
      /**
       * @description The identifier of the notification, the same as in its `webhook-id` header.
       * @example 0d6e92b4-7c58-8f31-a4e0-6b9f2c13d875
       */
      notification_id: components['schemas']['Uuid'];
      /**
       * @description The webhook that it is for.
       * @example b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31
       */
      webhook_id: components['schemas']['Uuid'];
      /** @description The account that the webhook belongs to. */
      account_id: components['schemas']['Uuid'];
      event: components['schemas']['WebhookEvent'];
      /**
       * Format: uuid
       * @description The message that it tells of; `null` for a test.
       * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
       */
      message_id: string | null;
      /**
       * @description Whether it is a test.
       * @example false
       */
      is_test: boolean;
      status: components['schemas']['WebhookDeliveryStatus'];
      /** @description When it was made. */
      created_at: components['schemas']['Timestamp'];
      /**
       * Format: date-time
       * @description When it is tried next; `null` when it is not, or not while the webhook is disabled.
       * @example 2026-03-14T09:36:52.480935+00:00
       */
      next_attempt_at: string | null;
      payload: components['schemas']['WebhookPayload'];
      /** @description The attempts, newest first; the last 20. */
      attempts: components['schemas']['WebhookAttempt'][];
    };
    /** @description A page of the delivery log. */
    WebhookDeliveryListResponse: {
      /** @description The page, newest first. */
      data: components['schemas']['WebhookDelivery'][];
      meta: components['schemas']['ListMeta'];
    };
    /** @description What to send again. Unknown fields are ignored. */
    WebhookReplay: {
      /**
       * Format: uuid
       * @description One notification, whatever its status.
       * @example 0d6e92b4-7c58-8f31-a4e0-6b9f2c13d875
       */
      notification_id?: string | null;
      /**
       * @description The beginning of a period in which notifications were made; the ends may be given in either order. It ends now unless `period_to` is given.
       * @example 2026-03-13T22:00:00+00:00
       */
      period_from?: components['schemas']['TimestampOrDate'] | null;
      /**
       * @description The end of the period.
       * @example 2026-03-14T06:00:00+00:00
       */
      period_to?: components['schemas']['TimestampOrDate'] | null;
      /**
       * @description Which of the period's notifications; failed ones when absent or `null`. Without effect beside `notification_id`.
       * @example [
       *       "failed"
       *     ]
       */
      statuses?: components['schemas']['WebhookDeliveryStatus'][] | null;
    };
    /** @description How much is sent again. */
    WebhookReplayed: {
      /**
       * @description How many notifications this call has put on their way.
       * @example 214
       */
      replayed: number;
      /**
       * @description How many more there are that the call names; call again.
       * @example 0
       */
      remaining: number;
    };
    /** @description How much is sent again. */
    WebhookReplayResponse: {
      data: components['schemas']['WebhookReplayed'];
      meta: components['schemas']['Meta'];
    };
    /** @description How to rotate a secret. Unknown fields are ignored. */
    WebhookSecretRotation: {
      /**
       * @description For how long the old secrets sign too, up to seven days.
       * @example 86400
       */
      overlap_seconds: number;
    };
    /** @description A new secret of a webhook. */
    WebhookSecret: {
      /**
       * @description The identifier of the webhook.
       * @example b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31
       */
      webhook_id: components['schemas']['Uuid'];
      /**
       * @description The secret that requests are signed with, in the form of Standard Webhooks: `whsec_` and the key in Base64. Keep it now; it cannot be shown again.
       * @example whsec_Yf3mQ8sVtK1xWcZ9LrN5uHbE2jPaGd70oTiXwBvCq4M=
       */
      secret: string;
      /**
       * Format: date-time
       * @description When the last of the old secrets ends; `null` when they have ended.
       * @example 2026-03-15T09:26:53.589793+00:00
       */
      previous_secrets_expire_at: string | null;
    };
    /** @description A new secret of a webhook. */
    WebhookSecretResponse: {
      data: components['schemas']['WebhookSecret'];
      meta: components['schemas']['Meta'];
    };
    /** @description A test to send. Unknown fields are ignored. */
    WebhookTest: {
      event: components['schemas']['WebhookEvent'];
    };
    /** @description A notification of the delivery log. */
    WebhookDeliveryResponse: {
      data: components['schemas']['WebhookDelivery'];
      meta: components['schemas']['Meta'];
    };
    /**
     * Format: hostname
     * @description A fully qualified domain name without a final dot. It is kept in lower case.
     * @example demo.test
     */
    DomainName: string;
    /** @description An account that may send from the domain. */
    DomainAccount: {
      /** @description The identifier of the account. */
      account_id: components['schemas']['Uuid'];
      name: components['schemas']['AccountName'];
    };
    /**
     * @description The host name, relative to the domain, that bounces are sent to. Choose another than the default when the domain already uses it.
     * @example cs-bounces
     */
    ReturnPathHostname: string;
    /** @description A sending domain, with the DNS records that its owner has to publish. */
    Domain: {
      /**
       * @description The identifier of the domain.
       * @example d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14
       */
      domain_id: components['schemas']['Uuid'];
      name: components['schemas']['DomainName'];
      /** @description The accounts that may send from the domain. */
      accounts: components['schemas']['DomainAccount'][];
      /**
       * Format: date-time
       * @description When the two DKIM records were verified; `null` while they are not.
       * @example 2026-03-02T10:15:30.120943+00:00
       */
      dkim_verified_at: string | null;
      /**
       * Format: date-time
       * @description When the Return-Path record was verified; `null` while it is not, and again after `return_path_hostname` has changed.
       * @example 2026-03-02T10:15:31.870415+00:00
       */
      return_path_verified_at: string | null;
      return_path_hostname: components['schemas']['ReturnPathHostname'];
      /**
       * @description The value of the CNAME record of the Return-Path host.
       * @example bounces.mail.sendspec.test
       */
      return_path_cname: string;
      /**
       * @description The host name of the first DKIM record.
       * @example cs1._domainkey.demo.test
       */
      dkim_selector_1: string;
      /**
       * @description The value of the CNAME record of the first DKIM host.
       * @example cs1-d40b7e9a.dkim.mail.sendspec.test
       */
      dkim_cname_1: string;
      /**
       * @description The host name of the second DKIM record.
       * @example cs2._domainkey.demo.test
       */
      dkim_selector_2: string;
      /**
       * @description The value of the CNAME record of the second DKIM host.
       * @example cs2-d40b7e9a.dkim.mail.sendspec.test
       */
      dkim_cname_2: string;
    };
    /** @description A page of domains. */
    DomainListResponse: {
      /** @description The page, newest first. */
      data: components['schemas']['Domain'][];
      meta: components['schemas']['ListMeta'];
    };
    /** @description A sending domain to create. Unknown fields are ignored. */
    DomainCreate: {
      name: components['schemas']['DomainName'];
      /**
       * @description The Return-Path host name, relative to the domain. Absent or `null` means `cs-bounces`.
       * @default cs-bounces
       * @example cs-bounces
       */
      return_path_hostname?: string | null;
      /**
       * @description The accounts that may send from the domain. The list may be empty; an account named twice counts once.
       * @example [
       *       "6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3"
       *     ]
       */
      accounts: components['schemas']['Uuid'][];
    };
    /** @description One domain. */
    DomainResponse: {
      data: components['schemas']['Domain'];
      meta: components['schemas']['Meta'];
    };
    /** @description Changes to a sending domain. Unknown fields are ignored, `name` among them, since it never changes. */
    DomainUpdate: {
      /**
       * @description The new Return-Path host name, relative to the domain. Left as it is when absent or `null`.
       * @example bounces
       */
      return_path_hostname?: string | null;
      /**
       * @description The accounts that may send from the domain from now on. They replace all that were assigned; an empty list takes the domain from every account.
       * @example [
       *       "6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3",
       *       "b27d94c1-5e60-4f38-8b1d-93f2a6c07e45"
       *     ]
       */
      accounts: components['schemas']['Uuid'][];
    };
    /** @description How far the rotation of a domain's DKIM key is. */
    DkimRotation: {
      /**
       * @description The identifier of the domain.
       * @example d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14
       */
      domain_id: components['schemas']['Uuid'];
      /**
       * @description `waiting` while the new key waits to be seen in the DNS, `complete` once it signs.
       * @example waiting
       * @enum {string}
       */
      status: 'waiting' | 'complete';
      /**
       * @description The host name of the DKIM record whose key signs at present.
       * @example cs1._domainkey.demo.test
       */
      signing_selector: string;
      /**
       * @description The host name of the DKIM record whose key signs next; `null` when the rotation is complete.
       * @example cs2._domainkey.demo.test
       */
      next_selector: string | null;
      /**
       * @description When the rotation was asked for.
       * @example 2026-03-14T09:26:53.589793+00:00
       */
      requested_at: components['schemas']['Timestamp'];
    };
    /** @description A rotation of a DKIM key. */
    DkimRotationResponse: {
      data: components['schemas']['DkimRotation'];
      meta: components['schemas']['Meta'];
    };
    /**
     * @description Where an entry comes from. `manual` entries were made by somebody; the others follow from an event of the same name.
     * @example hard_bounce
     * @enum {string}
     */
    SuppressionType: 'manual' | 'hard_bounce' | 'spam_complaint' | 'unsubscribe';
    /** @description A recipient address that an account does not deliver to. */
    Suppression: {
      /**
       * @description The identifier of the entry.
       * @example a93e5d17-6b04-4c2f-8e59-f17c0d82b6a4
       */
      suppression_id: components['schemas']['Uuid'];
      /** @description The account that the entry belongs to. */
      account_id: components['schemas']['Uuid'];
      /** @description The name of that account. */
      account_name: components['schemas']['AccountName'];
      /** @description When the entry was made. */
      created_at: components['schemas']['Timestamp'];
      /**
       * @description The custom ID of the message that caused the entry; `null` in a `manual` entry.
       * @example order-10042
       */
      message_custom_id: string | null;
      /**
       * Format: uuid
       * @description The message that caused the entry; `null` in a `manual` entry.
       * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
       */
      message_id: string | null;
      /**
       * @description Why a `manual` entry was made; `""` in every other.
       * @example asked by telephone
       */
      reason: string;
      /** @description The suppressed address. */
      recipient_email: components['schemas']['EmailAddress'];
      type: components['schemas']['SuppressionType'];
    };
    /** @description A page of suppressions. */
    SuppressionListResponse: {
      /** @description The page, newest first. */
      data: components['schemas']['Suppression'][];
      meta: components['schemas']['ListMeta'];
    };
    /** @description An address to suppress. The type of the entry is always `manual`. Unknown fields are ignored. */
    SuppressionCreate: {
      /** @description The account that shall not deliver to the address. */
      account_id: components['schemas']['Uuid'];
      /** @description The address to suppress. */
      recipient_email: components['schemas']['EmailAddress'];
      /**
       * @description Why, in your own words. Absent or `null` is kept as `""`.
       * @default
       * @example asked by telephone
       */
      reason?: string | null;
    };
    /** @description One suppression. */
    SuppressionResponse: {
      data: components['schemas']['Suppression'];
      meta: components['schemas']['Meta'];
    };
    /**
     * @description What happened to a message.
     * @example delivery
     * @enum {string}
     */
    MessageEventType:
      | 'new'
      | 'delivery'
      | 'hard_bounce'
      | 'soft_bounce'
      | 'spam_complaint'
      | 'unsubscribe'
      | 'open'
      | 'click';
    /**
     * @description How far a message has come: `new` (accepted, not yet handed over), `delivery` (accepted by the receiving server), `soft_bounce` (the last attempt failed for a reason that may pass, or the message was given up without blaming the address), `hard_bounce` (the address does not exist).
     * @example delivery
     * @enum {string}
     */
    DeliveryStatus: 'new' | 'delivery' | 'soft_bounce' | 'hard_bounce';
    /** @description The log entry of a message. It holds no content. */
    Message: {
      /**
       * @description The identifier of the message.
       * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
       */
      message_id: components['schemas']['Uuid'];
      /**
       * @description The custom ID given at sending, or `""`.
       * @example order-10042
       */
      custom_id: string;
      /** @description The address of the recipient. */
      recipient_email: components['schemas']['EmailAddress'];
      /**
       * @description The address of the sender.
       * @example hello@demo.test
       */
      from_email: components['schemas']['EmailAddress'];
      /**
       * @description The subject.
       * @example Your order 10042
       */
      subject: string;
      /**
       * @description The domain it was sent from. It may have been deleted since.
       * @example d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14
       */
      domain_id: components['schemas']['Uuid'];
      /** @description The account it was sent by. */
      account_id: components['schemas']['Uuid'];
      /** @description The name of the sending domain. */
      domain_name: components['schemas']['DomainName'];
      /** @description The name of the sending account. */
      account_name: components['schemas']['AccountName'];
      /** @description When the message was accepted for delivery. */
      created_at: components['schemas']['Timestamp'];
      /** @description When this entry changed last. */
      updated_at: components['schemas']['Timestamp'];
      delivery_status: components['schemas']['DeliveryStatus'];
      /**
       * Format: date-time
       * @description When the recipient first opened the message; `null` until then.
       * @example 2026-03-14T09:31:07.004512+00:00
       */
      opened_at: string | null;
      /**
       * Format: date-time
       * @description When the recipient first followed a link; `null` until then.
       * @example 2026-03-14T09:31:22.518060+00:00
       */
      clicked_at: string | null;
      /**
       * Format: date-time
       * @description When the recipient unsubscribed with the button of the mail client; `null` until then.
       * @example 2026-03-14T18:02:45.330178+00:00
       */
      unsubscribed_at: string | null;
      /**
       * Format: date-time
       * @description When the recipient complained about the message as spam; `null` until then.
       * @example 2026-03-14T18:03:12.771204+00:00
       */
      spam_complaint_at: string | null;
    };
    /** @description A page of messages. */
    MessageListResponse: {
      /** @description The page, newest first. */
      data: components['schemas']['Message'][];
      meta: components['schemas']['ListMeta'];
    };
    /**
     * @description A CSV file with a line of column names and a line for each message.
     * @example message_id,custom_id,recipient_email,from_email,subject,domain_id,account_id,domain_name,account_name,created_at,updated_at,opened_at,clicked_at,unsubscribed_at,delivery_status,spam_complaint_at,smtp_response
     */
    MessagesCsv: string;
    /** @description One message. */
    MessageResponse: {
      data: components['schemas']['Message'];
      meta: components['schemas']['Meta'];
    };
    /** @description An empty object. This kind of event has no details. */
    NoDetails: Record<string, never>;
    /** @description The message was accepted for delivery. */
    NewEvent: {
      /** @description When it happened. */
      received_at: components['schemas']['Timestamp'];
      /**
       * @description The kind of the event.
       * @example new
       * @constant
       */
      type: 'new';
      details: components['schemas']['NoDetails'];
    };
    /** @description What the remote SMTP server said. */
    SmtpDetails: {
      /**
       * @description The reply of the remote server, or what went wrong when none came. It is text from a stranger, to be escaped wherever it is shown.
       * @example 250 2.0.0 OK queued as 4F2E81C03A
       */
      smtp_response: string;
      /**
       * @description The entry of the SMTP delivery log.
       * @example 7c25d0e4-31ab-4d96-9f80-a64b2e17c583
       */
      smtp_log_id: components['schemas']['Uuid'];
    };
    /** @description The receiving server accepted the message. */
    DeliveryEvent: {
      /** @description When it happened. */
      received_at: components['schemas']['Timestamp'];
      /**
       * @description The kind of the event.
       * @example delivery
       * @constant
       */
      type: 'delivery';
      details: components['schemas']['SmtpDetails'];
    };
    /** @description The address does not exist. The account suppresses it from now on. */
    HardBounceEvent: {
      /** @description When it happened. */
      received_at: components['schemas']['Timestamp'];
      /**
       * @description The kind of the event.
       * @example hard_bounce
       * @constant
       */
      type: 'hard_bounce';
      details: components['schemas']['SmtpDetails'];
    };
    /** @description An attempt failed without proof that the address is wrong. It may be tried again. */
    SoftBounceEvent: {
      /** @description When it happened. */
      received_at: components['schemas']['Timestamp'];
      /**
       * @description The kind of the event.
       * @example soft_bounce
       * @constant
       */
      type: 'soft_bounce';
      details: components['schemas']['SmtpDetails'];
    };
    /** @description The recipient reported the message as spam. The account suppresses the address from now on. */
    SpamComplaintEvent: {
      /** @description When it happened. */
      received_at: components['schemas']['Timestamp'];
      /**
       * @description The kind of the event.
       * @example spam_complaint
       * @constant
       */
      type: 'spam_complaint';
      details: components['schemas']['NoDetails'];
    };
    /** @description The list that was left. */
    UnsubscribeDetails: {
      /**
       * @description The list ID of the message, or `""`.
       * @example news.demo.test
       */
      list_id: string;
    };
    /** @description The recipient unsubscribed with the button of the mail client. The account suppresses the address from now on. */
    UnsubscribeEvent: {
      /** @description When it happened. */
      received_at: components['schemas']['Timestamp'];
      /**
       * @description The kind of the event.
       * @example unsubscribe
       * @constant
       */
      type: 'unsubscribe';
      details: components['schemas']['UnsubscribeDetails'];
    };
    /** @description The device that opened the message or followed the link. */
    VisitDetails: {
      /**
       * @description The User-Agent header of the browser, or `""`.
       * @example Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0
       */
      user_agent: string;
      /**
       * @description The IP address of the device, version 4 or 6.
       * @example 203.0.113.24
       */
      user_ip: string;
    };
    /** @description The recipient opened the message. */
    OpenEvent: {
      /** @description When it happened. */
      received_at: components['schemas']['Timestamp'];
      /**
       * @description The kind of the event.
       * @example open
       * @constant
       */
      type: 'open';
      details: components['schemas']['VisitDetails'];
    };
    /** @description The recipient followed a link in the message. */
    ClickEvent: {
      /** @description When it happened. */
      received_at: components['schemas']['Timestamp'];
      /**
       * @description The kind of the event.
       * @example click
       * @constant
       */
      type: 'click';
      details: components['schemas']['VisitDetails'];
    };
    /** @description Something that happened to a message. `type` tells the kinds apart; `details` depends on it. */
    MessageEvent:
      | components['schemas']['NewEvent']
      | components['schemas']['DeliveryEvent']
      | components['schemas']['HardBounceEvent']
      | components['schemas']['SoftBounceEvent']
      | components['schemas']['SpamComplaintEvent']
      | components['schemas']['UnsubscribeEvent']
      | components['schemas']['OpenEvent']
      | components['schemas']['ClickEvent'];
    /** @description A page of the events of a message. */
    MessageEventListResponse: {
      /** @description The page, newest first. */
      data: components['schemas']['MessageEvent'][];
      meta: components['schemas']['ListMeta'];
    };
    /** @description Counts of a period. Messages are counted by the time they were accepted, everything else by the time it happened. Schemas that build on this one close it. */
    StatisticsCounters: {
      /**
       * @description Emails accepted for delivery.
       * @example 1250
       */
      messages: number;
      /**
       * @description Emails delivered.
       * @example 1231
       */
      delivery: number;
      /**
       * @description Hard bounces.
       * @example 7
       */
      hard_bounce: number;
      /**
       * @description Soft bounces, those of attempts that were repeated included.
       * @example 18
       */
      soft_bounce: number;
      /**
       * @description Spam complaints.
       * @example 1
       */
      spam_complaint: number;
      /**
       * @description Unsubscribes.
       * @example 4
       */
      unsubscribe: number;
      /**
       * @description Opens, repeated ones included.
       * @example 1620
       */
      open: number;
      /**
       * @description Emails accepted with open tracking.
       * @example 1250
       */
      track_opens: number;
      /**
       * @description Clicks on links, repeated ones included.
       * @example 402
       */
      click: number;
      /**
       * @description Emails accepted with click tracking.
       * @example 1250
       */
      track_clicks: number;
      /**
       * @description Emails opened, each counted at its first open.
       * @example 803
       */
      unique_opens: number;
      /**
       * @description Emails with a click, each counted at its first click.
       * @example 288
       */
      unique_clicks: number;
    };
    /** @description The counts of everything in the period. */
    StatisticsSummary: components['schemas']['StatisticsCounters'];
    /** @description The counts of one account. */
    AccountStatistics: {
      /** @description The identifier of the account. */
      account_id: components['schemas']['Uuid'];
      account_name: components['schemas']['AccountName'];
    } & components['schemas']['StatisticsCounters'];
    /** @description The counts of one domain. */
    DomainStatistics: {
      /**
       * @description The identifier of the domain.
       * @example d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14
       */
      domain_id: components['schemas']['Uuid'];
      domain_name: components['schemas']['DomainName'];
    } & components['schemas']['StatisticsCounters'];
    /** @description The counts of a period, in all and, when asked for, broken down. */
    Statistics: {
      /** @description The earlier end of the period. */
      period_from: components['schemas']['TimestampOrDate'];
      /** @description The later end of the period. */
      period_to: components['schemas']['TimestampOrDate'];
      stats_summary: components['schemas']['StatisticsSummary'];
      /** @description The same counts for each account or for each domain, those without any included. Present only when a breakdown was asked for. */
      breakdown?: components['schemas']['AccountStatistics'][] | components['schemas']['DomainStatistics'][];
    };
    /** @description The statistics of a period. */
    StatisticsResponse: {
      data: components['schemas']['Statistics'];
      meta: components['schemas']['Meta'];
    };
    /** @description A page of users. */
    UserListResponse: {
      /** @description The page, newest first. */
      data: components['schemas']['User'][];
      meta: components['schemas']['ListMeta'];
    };
    /** @description A user to create. Unknown fields are ignored. */
    UserCreate: {
      /**
       * @description The address for logging in.
       * @example viewer@demo.test
       */
      email: components['schemas']['EmailAddress'];
      name: components['schemas']['UserName'];
      role: components['schemas']['UserRole'];
      password: components['schemas']['NewPassword'];
    };
    /** @description One user. */
    UserResponse: {
      data: components['schemas']['User'];
      meta: components['schemas']['Meta'];
    };
    /** @description Changes to a user. What is absent or `null` stays as it is; unknown fields are ignored. */
    UserUpdate: {
      /**
       * Format: email
       * @description The new address for logging in.
       * @example viewer@demo.test
       */
      email?: string | null;
      /**
       * @description The new name.
       * @example Grace Okafor
       */
      name?: string | null;
      /**
       * @description The new role. Changing it ends the sessions of the user.
       * @example viewer
       * @enum {string|null}
       */
      role?: 'owner' | 'viewer' | null;
      /**
       * Format: password
       * @description The new password. Changing it ends the sessions of the user.
       * @example correct horse battery staple
       */
      password?: string | null;
    };
  };
  responses: {
    /** @description There is no such endpoint: the path is unknown, or the method is none of its own. Nothing else is ever answered 404. */
    EndpointNotFound: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'ENDPOINT_NOT_FOUND';
          };
        };
      };
    };
    /** @description The body is not valid JSON, or there is none. */
    InvalidJson: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'INVALID_JSON';
          };
        };
      };
    };
    /** @description The account ID or the API key is missing or wrong, or the key was revoked. */
    InvalidApiKey: {
      headers: {
        'WWW-Authenticate': components['headers']['WwwAuthenticate'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'INVALID_CREDENTIALS';
          };
        };
      };
    };
    /** @description The account is disabled. */
    AccountDisabled: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'ACCESS_DENIED';
          };
        };
      };
    };
    /** @description The caller has made too many requests within a minute. */
    TooManyRequests: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        'Retry-After': components['headers']['RetryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'RATE_LIMIT_EXCEEDED';
          };
        };
      };
    };
    /** @description The service failed. A message that was being sent counts as lost; send it again. */
    InternalServerError: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'INTERNAL_SERVER_ERROR';
          };
        };
      };
    };
    /** @description The email address or the password is wrong. Which of them is not said. */
    InvalidLogin: {
      headers: {
        'WWW-Authenticate': components['headers']['WwwAuthenticate'];
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'INVALID_CREDENTIALS';
          };
        };
      };
    };
    /** @description The access token is missing, wrong or expired, or its session has ended. */
    Unauthorized: {
      headers: {
        'WWW-Authenticate': components['headers']['WwwAuthenticate'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'INVALID_CREDENTIALS';
          };
        };
      };
    };
    /** @description The refresh token is wrong, expired or used already, or its session has ended. */
    InvalidRefreshToken: {
      headers: {
        'WWW-Authenticate': components['headers']['WwwAuthenticate'];
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'INVALID_CREDENTIALS';
          };
        };
      };
    };
    /** @description The user is a viewer, who may only read. */
    ViewerForbidden: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'ACCESS_DENIED';
          };
        };
      };
    };
    /** @description The resource belongs to another organisation. */
    Forbidden: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'ACCESS_DENIED';
          };
        };
      };
    };
    /** @description There is no such account. It never existed or has been deleted. */
    AccountNotFound: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'ACCOUNT_NOT_FOUND';
          };
        };
      };
    };
    /** @description The identifier of the account is malformed. */
    InvalidAccountId: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ValidationError'];
      };
    };
    /** @description The resource belongs to another organisation, or the user is a viewer, who may only read. */
    WriteForbidden: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'ACCESS_DENIED';
          };
        };
      };
    };
    /** @description The account or the webhook does not exist. */
    WebhookNotFound: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @enum {unknown} */
            code?: 'ACCOUNT_NOT_FOUND' | 'WEBHOOK_NOT_FOUND';
          };
        };
      };
    };
    /** @description An identifier is malformed. */
    InvalidWebhookId: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ValidationError'];
      };
    };
    /** @description There is no such domain. It never existed or has been deleted. */
    DomainNotFound: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'DOMAIN_NOT_FOUND';
          };
        };
      };
    };
    /** @description The identifier of the domain is malformed. */
    InvalidDomainId: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ValidationError'];
      };
    };
    /** @description There is no such suppression. It never existed or has been deleted. */
    SuppressionNotFound: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'SUPPRESSION_NOT_FOUND';
          };
        };
      };
    };
    /** @description The identifier of the suppression is malformed. */
    InvalidSuppressionId: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ValidationError'];
      };
    };
    /** @description There is no such message. It never existed or has been deleted. */
    MessageNotFound: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'MESSAGE_NOT_FOUND';
          };
        };
      };
    };
    /** @description The identifier of the message is malformed. */
    InvalidMessageId: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ValidationError'];
      };
    };
    /** @description There is no such user. It never existed or has been deleted. */
    UserNotFound: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Error'] & {
          data?: {
            /** @constant */
            code?: 'USER_NOT_FOUND';
          };
        };
      };
    };
    /** @description The identifier of the user is malformed. */
    InvalidUserId: {
      headers: {
        'RateLimit-Limit': components['headers']['RateLimitLimit'];
        'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
        'RateLimit-Reset': components['headers']['RateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['ValidationError'];
      };
    };
  };
  parameters: {
    /**
     * @description Only objects whose name contains this text, in any letter case.
     * @example shop
     */
    NameFilter: string;
    /**
     * @description Only accounts of this type.
     * @example transactional
     */
    AccountTypeFilter: components['schemas']['AccountType'];
    /**
     * @description The most objects to return.
     * @example 30
     */
    Limit: number;
    /**
     * @description How many objects to skip, counted from the newest.
     * @example 0
     */
    Offset: number;
    /**
     * @description The identifier of the account.
     * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
     */
    AccountId: components['schemas']['Uuid'];
    /**
     * @description The identifier of the API key.
     * @example c60f29b7-8e14-4a5d-97c3-06d1ba52ef89
     */
    ApiKeyId: components['schemas']['Uuid'];
    /**
     * @description The identifier of the webhook.
     * @example b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31
     */
    WebhookId: components['schemas']['Uuid'];
    /**
     * @description Only notifications that stand so. Repeat the parameter to name several.
     * @example [
     *       "failed"
     *     ]
     */
    WebhookDeliveryStatusesFilter: components['schemas']['WebhookDeliveryStatus'][];
    /**
     * @description Only notifications of these events. Repeat the parameter to name several.
     * @example [
     *       "message.open",
     *       "message.click"
     *     ]
     */
    WebhookEventsFilter: components['schemas']['WebhookEvent'][];
    /**
     * @description Only this notification. One that does not exist gives an empty result.
     * @example 0d6e92b4-7c58-8f31-a4e0-6b9f2c13d875
     */
    NotificationIdFilter: components['schemas']['Uuid'];
    /**
     * @description Only what belongs to this message. One that does not exist gives an empty result.
     * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
     */
    MessageIdFilter: components['schemas']['Uuid'];
    /**
     * @description Only notifications made at this moment or later. The ends of the period may be given in either order.
     * @example 2026-03-01
     */
    WebhookDeliveryPeriodFrom: components['schemas']['TimestampOrDate'];
    /**
     * @description Only notifications made at this moment or earlier.
     * @example 2026-03-31
     */
    WebhookDeliveryPeriodTo: components['schemas']['TimestampOrDate'];
    /**
     * @description The identifier of the domain.
     * @example d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14
     */
    DomainId: components['schemas']['Uuid'];
    /**
     * @description Only what belongs to one of these accounts. Repeat the parameter to name several. An account that does not exist is an error (409).
     * @example [
     *       "6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3"
     *     ]
     */
    AccountIdsFilter: components['schemas']['Uuid'][];
    /**
     * @description Only entries made at this moment or later. The ends of the period may be given in either order.
     * @example 2026-03-01
     */
    SuppressionPeriodFrom: components['schemas']['TimestampOrDate'];
    /**
     * @description Only entries made at this moment or earlier.
     * @example 2026-03-31
     */
    SuppressionPeriodTo: components['schemas']['TimestampOrDate'];
    /**
     * @description Only what concerns this recipient. The whole address, in any letter case.
     * @example ada@customer.test
     */
    RecipientEmailFilter: components['schemas']['EmailAddress'];
    /**
     * @description Only what belongs to messages with exactly this custom ID.
     * @example order-10042
     */
    MessageCustomIdFilter: string;
    /**
     * @description Only entries of one of these types. Repeat the parameter to name several.
     * @example [
     *       "manual"
     *     ]
     */
    SuppressionTypesFilter: components['schemas']['SuppressionType'][];
    /**
     * @description Only entries whose reason contains this text, in any letter case.
     * @example telephone
     */
    ReasonFilter: string;
    /**
     * @description The identifier of the suppression.
     * @example a93e5d17-6b04-4c2f-8e59-f17c0d82b6a4
     */
    SuppressionId: components['schemas']['Uuid'];
    /**
     * @description One end of the period in which the messages were accepted, itself included. The default is today. The ends may be given in either order.
     * @example 2026-03-01
     */
    MessagePeriodFrom: components['schemas']['TimestampOrDate'];
    /**
     * @description The other end of the period, itself included. The default is today minus 60 days, so that without both the last 60 days are meant; with `period_from` alone, the time from there up to now; with `period_to` alone, the 60 days before it.
     * @example 2026-03-31
     */
    MessagePeriodTo: components['schemas']['TimestampOrDate'];
    /**
     * @description Only messages sent from one of these domains. Repeat the parameter to name several. A domain that never existed is an error (409); a deleted one can still be searched for.
     * @example [
     *       "d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14"
     *     ]
     */
    DomainIdsFilter: components['schemas']['Uuid'][];
    /**
     * @description Only messages that had an event of one of these types, at any time. Repeat the parameter to name several. `unsibscribe` is an old spelling of `unsubscribe` and means the same.
     * @example [
     *       "delivery",
     *       "open"
     *     ]
     */
    EventsFilter: (components['schemas']['MessageEventType'] | 'unsibscribe')[];
    /**
     * @description Only messages from this sender. The whole address, in any letter case.
     * @example hello@demo.test
     */
    FromEmailFilter: components['schemas']['EmailAddress'];
    /**
     * @description Only messages whose subject contains this text, in any letter case.
     * @example order
     */
    SubjectFilter: string;
    /**
     * @description The identifier of the message.
     * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
     */
    MessageId: components['schemas']['Uuid'];
    /**
     * @description One end of the period, itself included. The ends may be given in either order.
     * @example 2026-03-01
     */
    StatisticsPeriodFrom: components['schemas']['TimestampOrDate'];
    /**
     * @description The other end of the period, itself included. A date means the whole of that day in UTC.
     * @example 2026-03-31
     */
    StatisticsPeriodTo: components['schemas']['TimestampOrDate'];
    /**
     * @description `1` asks for a breakdown by account. Not together with `all_domains=1`.
     * @example 1
     */
    AllAccounts: 0 | 1;
    /**
     * @description `1` asks for a breakdown by domain. Not together with `all_accounts=1`.
     * @example 0
     */
    AllDomains: 0 | 1;
    /**
     * @description The identifier of the user.
     * @example 3b9a61f8-47d2-4e0c-b5a9-c81f2e70d364
     */
    UserId: components['schemas']['Uuid'];
    /**
     * @description Identifies the notification. It stays the same when the request is repeated or replayed, so that a receiver can tell that it has seen it. The delivery log calls it `notification_id`.
     * @example 0d6e92b4-7c58-8f31-a4e0-6b9f2c13d875
     */
    WebhookIdHeader: string;
    /**
     * @description When this attempt was made, in seconds since 1970. Refuse a request that is older than a few minutes.
     * @example 1773480414
     */
    WebhookTimestampHeader: string;
    /**
     * @description One or more signatures, separated by spaces, each `v1,` and the Base64 form of the HMAC-SHA256 of `id.timestamp.body` under a secret of the endpoint. There are several while the secret changes; one that matches is enough.
     * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
     */
    WebhookSignatureHeader: string;
  };
  requestBodies: never;
  headers: {
    /**
     * @description How many requests a caller may make within the present minute. A server that sets no limit says 2147483647.
     * @example 600
     */
    RateLimitLimit: number;
    /**
     * @description How many of them are left.
     * @example 599
     */
    RateLimitRemaining: number;
    /**
     * @description In how many seconds the count starts again.
     * @example 42
     */
    RateLimitReset: number;
    /**
     * @description The way to authenticate that the operation asks for.
     * @example Bearer realm="sendspec"
     */
    WwwAuthenticate: string;
    /**
     * @description In how many seconds to try again.
     * @example 42
     */
    RetryAfter: number;
    /**
     * @description Suggests a file name for the download.
     * @example attachment; filename="messages.csv"
     */
    ContentDisposition: string;
  };
  pathItems: never;
}
export type WebhookPayload = components['schemas']['WebhookPayload'];
export type EmailAddress = components['schemas']['EmailAddress'];
export type Sender = components['schemas']['Sender'];
export type Recipient = components['schemas']['Recipient'];
export type SendEmailBody = components['schemas']['SendEmailBody'];
export type ReplyTo = components['schemas']['ReplyTo'];
export type SendEmailMessage = components['schemas']['SendEmailMessage'];
export type SendEmailRequest = components['schemas']['SendEmailRequest'];
export type Uuid = components['schemas']['Uuid'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type MessageRejectionCode = components['schemas']['MessageRejectionCode'];
export type FieldErrorCode = components['schemas']['FieldErrorCode'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type AcceptedMessage = components['schemas']['AcceptedMessage'];
export type EmptyMeta = components['schemas']['EmptyMeta'];
export type SendEmailAcceptedResponse = components['schemas']['SendEmailAcceptedResponse'];
export type FieldErrorDetail = components['schemas']['FieldErrorDetail'];
export type FieldError = components['schemas']['FieldError'];
export type RejectedMessage = components['schemas']['RejectedMessage'];
export type SendEmailResult = components['schemas']['SendEmailResult'];
export type SendEmailResponse = components['schemas']['SendEmailResponse'];
export type Meta = components['schemas']['Meta'];
export type Error = components['schemas']['Error'];
export type LoginRequest = components['schemas']['LoginRequest'];
export type Token = components['schemas']['Token'];
export type ValidationError = components['schemas']['ValidationError'];
export type OkResponse = components['schemas']['OkResponse'];
export type RefreshRequest = components['schemas']['RefreshRequest'];
export type OrganisationName = components['schemas']['OrganisationName'];
export type UserName = components['schemas']['UserName'];
export type NewPassword = components['schemas']['NewPassword'];
export type RegisterRequest = components['schemas']['RegisterRequest'];
export type Timestamp = components['schemas']['Timestamp'];
export type Organisation = components['schemas']['Organisation'];
export type UserRole = components['schemas']['UserRole'];
export type User = components['schemas']['User'];
export type Registration = components['schemas']['Registration'];
export type RegistrationResponse = components['schemas']['RegistrationResponse'];
export type PasswordResetRequest = components['schemas']['PasswordResetRequest'];
export type PasswordResetConfirm = components['schemas']['PasswordResetConfirm'];
export type AccountType = components['schemas']['AccountType'];
export type AccountName = components['schemas']['AccountName'];
export type AccountStatus = components['schemas']['AccountStatus'];
export type Account = components['schemas']['Account'];
export type ListMeta = components['schemas']['ListMeta'];
export type AccountListResponse = components['schemas']['AccountListResponse'];
export type AccountCreate = components['schemas']['AccountCreate'];
export type AccountResponse = components['schemas']['AccountResponse'];
export type AccountUpdate = components['schemas']['AccountUpdate'];
export type ApiKeyName = components['schemas']['ApiKeyName'];
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyListResponse = components['schemas']['ApiKeyListResponse'];
export type ApiKeyCreate = components['schemas']['ApiKeyCreate'];
export type CreatedApiKey = components['schemas']['CreatedApiKey'];
export type CreatedApiKeyResponse = components['schemas']['CreatedApiKeyResponse'];
export type ApiKeyResponse = components['schemas']['ApiKeyResponse'];
export type WebhookUrl = components['schemas']['WebhookUrl'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type WebhookStatus = components['schemas']['WebhookStatus'];
export type WebhookStatusChange = components['schemas']['WebhookStatusChange'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookListResponse = components['schemas']['WebhookListResponse'];
export type WebhookCreate = components['schemas']['WebhookCreate'];
export type CreatedWebhook = components['schemas']['CreatedWebhook'];
export type CreatedWebhookResponse = components['schemas']['CreatedWebhookResponse'];
export type WebhookResponse = components['schemas']['WebhookResponse'];
export type WebhookUpdate = components['schemas']['WebhookUpdate'];
export type WebhookDeliveryStatus = components['schemas']['WebhookDeliveryStatus'];
export type TimestampOrDate = components['schemas']['TimestampOrDate'];
export type MessageDeliveryPayload = components['schemas']['MessageDeliveryPayload'];
export type MessageHardBouncePayload = components['schemas']['MessageHardBouncePayload'];
export type MessageSoftBouncePayload = components['schemas']['MessageSoftBouncePayload'];
export type MessageSpamComplaintPayload = components['schemas']['MessageSpamComplaintPayload'];
export type MessageUnsubscribePayload = components['schemas']['MessageUnsubscribePayload'];
export type MessageOpenPayload = components['schemas']['MessageOpenPayload'];
export type MessageClickPayload = components['schemas']['MessageClickPayload'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryListResponse = components['schemas']['WebhookDeliveryListResponse'];
export type WebhookReplay = components['schemas']['WebhookReplay'];
export type WebhookReplayed = components['schemas']['WebhookReplayed'];
export type WebhookReplayResponse = components['schemas']['WebhookReplayResponse'];
export type WebhookSecretRotation = components['schemas']['WebhookSecretRotation'];
export type WebhookSecret = components['schemas']['WebhookSecret'];
export type WebhookSecretResponse = components['schemas']['WebhookSecretResponse'];
export type WebhookTest = components['schemas']['WebhookTest'];
export type WebhookDeliveryResponse = components['schemas']['WebhookDeliveryResponse'];
export type DomainName = components['schemas']['DomainName'];
export type DomainAccount = components['schemas']['DomainAccount'];
export type ReturnPathHostname = components['schemas']['ReturnPathHostname'];
export type Domain = components['schemas']['Domain'];
export type DomainListResponse = components['schemas']['DomainListResponse'];
export type DomainCreate = components['schemas']['DomainCreate'];
export type DomainResponse = components['schemas']['DomainResponse'];
export type DomainUpdate = components['schemas']['DomainUpdate'];
export type DkimRotation = components['schemas']['DkimRotation'];
export type DkimRotationResponse = components['schemas']['DkimRotationResponse'];
export type SuppressionType = components['schemas']['SuppressionType'];
export type Suppression = components['schemas']['Suppression'];
export type SuppressionListResponse = components['schemas']['SuppressionListResponse'];
export type SuppressionCreate = components['schemas']['SuppressionCreate'];
export type SuppressionResponse = components['schemas']['SuppressionResponse'];
export type MessageEventType = components['schemas']['MessageEventType'];
export type DeliveryStatus = components['schemas']['DeliveryStatus'];
export type Message = components['schemas']['Message'];
export type MessageListResponse = components['schemas']['MessageListResponse'];
export type MessagesCsv = components['schemas']['MessagesCsv'];
export type MessageResponse = components['schemas']['MessageResponse'];
export type NoDetails = components['schemas']['NoDetails'];
export type NewEvent = components['schemas']['NewEvent'];
export type SmtpDetails = components['schemas']['SmtpDetails'];
export type DeliveryEvent = components['schemas']['DeliveryEvent'];
export type HardBounceEvent = components['schemas']['HardBounceEvent'];
export type SoftBounceEvent = components['schemas']['SoftBounceEvent'];
export type SpamComplaintEvent = components['schemas']['SpamComplaintEvent'];
export type UnsubscribeDetails = components['schemas']['UnsubscribeDetails'];
export type UnsubscribeEvent = components['schemas']['UnsubscribeEvent'];
export type VisitDetails = components['schemas']['VisitDetails'];
export type OpenEvent = components['schemas']['OpenEvent'];
export type ClickEvent = components['schemas']['ClickEvent'];
export type MessageEvent = components['schemas']['MessageEvent'];
export type MessageEventListResponse = components['schemas']['MessageEventListResponse'];
export type StatisticsCounters = components['schemas']['StatisticsCounters'];
export type StatisticsSummary = components['schemas']['StatisticsSummary'];
export type AccountStatistics = components['schemas']['AccountStatistics'];
export type DomainStatistics = components['schemas']['DomainStatistics'];
export type Statistics = components['schemas']['Statistics'];
export type StatisticsResponse = components['schemas']['StatisticsResponse'];
export type UserListResponse = components['schemas']['UserListResponse'];
export type UserCreate = components['schemas']['UserCreate'];
export type UserResponse = components['schemas']['UserResponse'];
export type UserUpdate = components['schemas']['UserUpdate'];
export type ResponseEndpointNotFound = components['responses']['EndpointNotFound'];
export type ResponseInvalidJson = components['responses']['InvalidJson'];
export type ResponseInvalidApiKey = components['responses']['InvalidApiKey'];
export type ResponseAccountDisabled = components['responses']['AccountDisabled'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseInternalServerError = components['responses']['InternalServerError'];
export type ResponseInvalidLogin = components['responses']['InvalidLogin'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseInvalidRefreshToken = components['responses']['InvalidRefreshToken'];
export type ResponseViewerForbidden = components['responses']['ViewerForbidden'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseAccountNotFound = components['responses']['AccountNotFound'];
export type ResponseInvalidAccountId = components['responses']['InvalidAccountId'];
export type ResponseWriteForbidden = components['responses']['WriteForbidden'];
export type ResponseWebhookNotFound = components['responses']['WebhookNotFound'];
export type ResponseInvalidWebhookId = components['responses']['InvalidWebhookId'];
export type ResponseDomainNotFound = components['responses']['DomainNotFound'];
export type ResponseInvalidDomainId = components['responses']['InvalidDomainId'];
export type ResponseSuppressionNotFound = components['responses']['SuppressionNotFound'];
export type ResponseInvalidSuppressionId = components['responses']['InvalidSuppressionId'];
export type ResponseMessageNotFound = components['responses']['MessageNotFound'];
export type ResponseInvalidMessageId = components['responses']['InvalidMessageId'];
export type ResponseUserNotFound = components['responses']['UserNotFound'];
export type ResponseInvalidUserId = components['responses']['InvalidUserId'];
export type ParameterNameFilter = components['parameters']['NameFilter'];
export type ParameterAccountTypeFilter = components['parameters']['AccountTypeFilter'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterOffset = components['parameters']['Offset'];
export type ParameterAccountId = components['parameters']['AccountId'];
export type ParameterApiKeyId = components['parameters']['ApiKeyId'];
export type ParameterWebhookId = components['parameters']['WebhookId'];
export type ParameterWebhookDeliveryStatusesFilter =
  components['parameters']['WebhookDeliveryStatusesFilter'];
export type ParameterWebhookEventsFilter = components['parameters']['WebhookEventsFilter'];
export type ParameterNotificationIdFilter = components['parameters']['NotificationIdFilter'];
export type ParameterMessageIdFilter = components['parameters']['MessageIdFilter'];
export type ParameterWebhookDeliveryPeriodFrom = components['parameters']['WebhookDeliveryPeriodFrom'];
export type ParameterWebhookDeliveryPeriodTo = components['parameters']['WebhookDeliveryPeriodTo'];
export type ParameterDomainId = components['parameters']['DomainId'];
export type ParameterAccountIdsFilter = components['parameters']['AccountIdsFilter'];
export type ParameterSuppressionPeriodFrom = components['parameters']['SuppressionPeriodFrom'];
export type ParameterSuppressionPeriodTo = components['parameters']['SuppressionPeriodTo'];
export type ParameterRecipientEmailFilter = components['parameters']['RecipientEmailFilter'];
export type ParameterMessageCustomIdFilter = components['parameters']['MessageCustomIdFilter'];
export type ParameterSuppressionTypesFilter = components['parameters']['SuppressionTypesFilter'];
export type ParameterReasonFilter = components['parameters']['ReasonFilter'];
export type ParameterSuppressionId = components['parameters']['SuppressionId'];
export type ParameterMessagePeriodFrom = components['parameters']['MessagePeriodFrom'];
export type ParameterMessagePeriodTo = components['parameters']['MessagePeriodTo'];
export type ParameterDomainIdsFilter = components['parameters']['DomainIdsFilter'];
export type ParameterEventsFilter = components['parameters']['EventsFilter'];
export type ParameterFromEmailFilter = components['parameters']['FromEmailFilter'];
export type ParameterSubjectFilter = components['parameters']['SubjectFilter'];
export type ParameterMessageId = components['parameters']['MessageId'];
export type ParameterStatisticsPeriodFrom = components['parameters']['StatisticsPeriodFrom'];
export type ParameterStatisticsPeriodTo = components['parameters']['StatisticsPeriodTo'];
export type ParameterAllAccounts = components['parameters']['AllAccounts'];
export type ParameterAllDomains = components['parameters']['AllDomains'];
export type ParameterUserId = components['parameters']['UserId'];
export type ParameterWebhookIdHeader = components['parameters']['WebhookIdHeader'];
export type ParameterWebhookTimestampHeader = components['parameters']['WebhookTimestampHeader'];
export type ParameterWebhookSignatureHeader = components['parameters']['WebhookSignatureHeader'];
export type HeaderRateLimitLimit = components['headers']['RateLimitLimit'];
export type HeaderRateLimitRemaining = components['headers']['RateLimitRemaining'];
export type HeaderRateLimitReset = components['headers']['RateLimitReset'];
export type HeaderWwwAuthenticate = components['headers']['WwwAuthenticate'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type HeaderContentDisposition = components['headers']['ContentDisposition'];
export type $defs = Record<string, never>;
export interface operations {
  sendEmail: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description The messages. */
    requestBody: {
      content: {
        'application/json': components['schemas']['SendEmailRequest'];
      };
    };
    responses: {
      /** @description Every message was accepted. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SendEmailAcceptedResponse'];
        };
      };
      /** @description At least one message was rejected. The others were accepted. */
      207: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SendEmailResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['InvalidApiKey'];
      403: components['responses']['AccountDisabled'];
      /** @description The body as a whole is wrong. Nothing was sent. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @enum {unknown} */
              code?: 'BODY_NOT_ARRAY' | 'BODY_EMPTY_ARRAY' | 'VALIDATION_ERROR';
            };
          };
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  login: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description The credentials. */
    requestBody: {
      content: {
        'application/json': components['schemas']['LoginRequest'];
      };
    };
    responses: {
      /** @description The tokens. They are not wrapped in `data`. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Token'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['InvalidLogin'];
      /** @description The body has missing or malformed fields. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  logout: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The session has ended. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OkResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  refreshToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RefreshRequest'];
      };
    };
    responses: {
      /** @description A new pair of tokens. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Token'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['InvalidRefreshToken'];
      /** @description A field is missing or malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  register: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['RegisterRequest'];
      };
    };
    responses: {
      /** @description The organisation and its owner were created. */
      201: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RegistrationResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      /** @description The email address belongs to a user already. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @constant */
              code?: 'ENTITY_EXISTS';
            };
          };
        };
      };
      /** @description A field is missing or malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  requestPasswordReset: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PasswordResetRequest'];
      };
    };
    responses: {
      /** @description If there is such a user, the mail is on its way. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OkResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      /** @description The address is missing or malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  confirmPasswordReset: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['PasswordResetConfirm'];
      };
    };
    responses: {
      /** @description The new password is set. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OkResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      /** @description The token is of no use. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @constant */
              code?: 'PASSWORD_RESET_NOT_FOUND';
            };
          };
        };
      };
      /** @description A field is missing or malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  listAccounts: {
    parameters: {
      query?: {
        /**
         * @description Only objects whose name contains this text, in any letter case.
         * @example shop
         */
        name?: components['parameters']['NameFilter'];
        /**
         * @description Only accounts of this type.
         * @example transactional
         */
        type?: components['parameters']['AccountTypeFilter'];
        /**
         * @description The most objects to return.
         * @example 30
         */
        limit?: components['parameters']['Limit'];
        /**
         * @description How many objects to skip, counted from the newest.
         * @example 0
         */
        offset?: components['parameters']['Offset'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of accounts. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccountListResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description A parameter is malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  createAccount: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description The account. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AccountCreate'];
      };
    };
    responses: {
      /** @description The new account. */
      201: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccountResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ViewerForbidden'];
      /** @description The body has missing or malformed fields. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  getAccount: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The account. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccountResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['AccountNotFound'];
      422: components['responses']['InvalidAccountId'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  deleteAccount: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The account as it was. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccountResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      409: components['responses']['AccountNotFound'];
      422: components['responses']['InvalidAccountId'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  updateAccount: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
      };
      cookie?: never;
    };
    /** @description The changes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['AccountUpdate'];
      };
    };
    responses: {
      /** @description The account as it is now. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['AccountResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      409: components['responses']['AccountNotFound'];
      /** @description The identifier is malformed, or the body has missing or malformed fields. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  listApiKeys: {
    parameters: {
      query?: {
        /**
         * @description The most objects to return.
         * @example 30
         */
        limit?: components['parameters']['Limit'];
        /**
         * @description How many objects to skip, counted from the newest.
         * @example 0
         */
        offset?: components['parameters']['Offset'];
      };
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of API keys. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyListResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['AccountNotFound'];
      /** @description The identifier or a parameter is malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  createApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ApiKeyCreate'];
      };
    };
    responses: {
      /** @description The new key, shown this once. */
      201: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedApiKeyResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      409: components['responses']['AccountNotFound'];
      /** @description The identifier or a field is missing or malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  revokeApiKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
        /**
         * @description The identifier of the API key.
         * @example c60f29b7-8e14-4a5d-97c3-06d1ba52ef89
         */
        api_key_id: components['parameters']['ApiKeyId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The revoked key. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApiKeyResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      /** @description The account or the key does not exist. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @enum {unknown} */
              code?: 'ACCOUNT_NOT_FOUND' | 'API_KEY_NOT_FOUND';
            };
          };
        };
      };
      /** @description An identifier is malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  listWebhooks: {
    parameters: {
      query?: {
        /**
         * @description The most objects to return.
         * @example 30
         */
        limit?: components['parameters']['Limit'];
        /**
         * @description How many objects to skip, counted from the newest.
         * @example 0
         */
        offset?: components['parameters']['Offset'];
      };
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of webhooks. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookListResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['AccountNotFound'];
      /** @description The identifier or a parameter is malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookCreate'];
      };
    };
    responses: {
      /** @description The new webhook, with its secret. */
      201: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CreatedWebhookResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      /** @description The account does not exist, or has as many webhooks as it may. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @enum {unknown} */
              code?: 'ACCOUNT_NOT_FOUND' | 'WEBHOOK_LIMIT_REACHED';
            };
          };
        };
      };
      /** @description The identifier or a field is missing or malformed, or the URL may not be called. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
        /**
         * @description The identifier of the webhook.
         * @example b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31
         */
        webhook_id: components['parameters']['WebhookId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The webhook. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['WebhookNotFound'];
      422: components['responses']['InvalidWebhookId'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
        /**
         * @description The identifier of the webhook.
         * @example b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31
         */
        webhook_id: components['parameters']['WebhookId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The deleted webhook. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      409: components['responses']['WebhookNotFound'];
      422: components['responses']['InvalidWebhookId'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  updateWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
        /**
         * @description The identifier of the webhook.
         * @example b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31
         */
        webhook_id: components['parameters']['WebhookId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookUpdate'];
      };
    };
    responses: {
      /** @description The changed webhook. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      409: components['responses']['WebhookNotFound'];
      /** @description An identifier or a field is malformed, or the URL may not be called. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /**
         * @description Only notifications that stand so. Repeat the parameter to name several.
         * @example [
         *       "failed"
         *     ]
         */
        'statuses[]'?: components['parameters']['WebhookDeliveryStatusesFilter'];
        /**
         * @description Only notifications of these events. Repeat the parameter to name several.
         * @example [
         *       "message.open",
         *       "message.click"
         *     ]
         */
        'events[]'?: components['parameters']['WebhookEventsFilter'];
        /**
         * @description Only this notification. One that does not exist gives an empty result.
         * @example 0d6e92b4-7c58-8f31-a4e0-6b9f2c13d875
         */
        notification_id?: components['parameters']['NotificationIdFilter'];
        /**
         * @description Only what belongs to this message. One that does not exist gives an empty result.
         * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
         */
        message_id?: components['parameters']['MessageIdFilter'];
        /**
         * @description Only notifications made at this moment or later. The ends of the period may be given in either order.
         * @example 2026-03-01
         */
        period_from?: components['parameters']['WebhookDeliveryPeriodFrom'];
        /**
         * @description Only notifications made at this moment or earlier.
         * @example 2026-03-31
         */
        period_to?: components['parameters']['WebhookDeliveryPeriodTo'];
        /**
         * @description The most objects to return.
         * @example 30
         */
        limit?: components['parameters']['Limit'];
        /**
         * @description How many objects to skip, counted from the newest.
         * @example 0
         */
        offset?: components['parameters']['Offset'];
      };
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
        /**
         * @description The identifier of the webhook.
         * @example b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31
         */
        webhook_id: components['parameters']['WebhookId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of the delivery log. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookDeliveryListResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['WebhookNotFound'];
      /** @description An identifier or a parameter is malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  replayWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
        /**
         * @description The identifier of the webhook.
         * @example b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31
         */
        webhook_id: components['parameters']['WebhookId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookReplay'];
      };
    };
    responses: {
      /** @description The notifications are on their way. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookReplayResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      /** @description The account, the webhook or the notification does not exist, or the webhook is disabled. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @enum {unknown} */
              code?:
                | 'ACCOUNT_NOT_FOUND'
                | 'WEBHOOK_NOT_FOUND'
                | 'NOTIFICATION_NOT_FOUND'
                | 'WEBHOOK_DISABLED';
            };
          };
        };
      };
      /** @description An identifier or a field is malformed, or nothing is named. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
        /**
         * @description The identifier of the webhook.
         * @example b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31
         */
        webhook_id: components['parameters']['WebhookId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookSecretRotation'];
      };
    };
    responses: {
      /** @description The new secret. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookSecretResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      /** @description The account or the webhook does not exist, or five secrets are valid. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @enum {unknown} */
              code?: 'ACCOUNT_NOT_FOUND' | 'WEBHOOK_NOT_FOUND' | 'SECRET_ROTATED_RECENTLY';
            };
          };
        };
      };
      /** @description An identifier or the overlap is missing or malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the account.
         * @example 6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3
         */
        account_id: components['parameters']['AccountId'];
        /**
         * @description The identifier of the webhook.
         * @example b7d2e48c-05f9-4c3a-8e16-92a4d07c5f31
         */
        webhook_id: components['parameters']['WebhookId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookTest'];
      };
    };
    responses: {
      /** @description The test is on its way. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookDeliveryResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      409: components['responses']['WebhookNotFound'];
      /** @description An identifier or the event is missing or malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  listDomains: {
    parameters: {
      query?: {
        /**
         * @description Only objects whose name contains this text, in any letter case.
         * @example shop
         */
        name?: components['parameters']['NameFilter'];
        /**
         * @description The most objects to return.
         * @example 30
         */
        limit?: components['parameters']['Limit'];
        /**
         * @description How many objects to skip, counted from the newest.
         * @example 0
         */
        offset?: components['parameters']['Offset'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of domains. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DomainListResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description A parameter is malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  createDomain: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description The domain. */
    requestBody: {
      content: {
        'application/json': components['schemas']['DomainCreate'];
      };
    };
    responses: {
      /** @description The new domain, with the records to publish. */
      201: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DomainResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      /** @description The domain exists already, or one of the accounts does not. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @enum {unknown} */
              code?: 'ENTITY_EXISTS' | 'ACCOUNT_NOT_FOUND';
            };
          };
        };
      };
      /** @description The body has missing or malformed fields. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  getDomain: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the domain.
         * @example d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14
         */
        domain_id: components['parameters']['DomainId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The domain. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DomainResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['DomainNotFound'];
      422: components['responses']['InvalidDomainId'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  deleteDomain: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the domain.
         * @example d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14
         */
        domain_id: components['parameters']['DomainId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The domain as it was. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DomainResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      409: components['responses']['DomainNotFound'];
      422: components['responses']['InvalidDomainId'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  updateDomain: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the domain.
         * @example d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14
         */
        domain_id: components['parameters']['DomainId'];
      };
      cookie?: never;
    };
    /** @description The changes. */
    requestBody: {
      content: {
        'application/json': components['schemas']['DomainUpdate'];
      };
    };
    responses: {
      /** @description The domain as it is now. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DomainResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      /** @description There is no such domain, or one of the accounts does not exist. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @enum {unknown} */
              code?: 'DOMAIN_NOT_FOUND' | 'ACCOUNT_NOT_FOUND';
            };
          };
        };
      };
      /** @description The identifier is malformed, or the body has missing or malformed fields. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  rotateDomainDkim: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the domain.
         * @example d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14
         */
        domain_id: components['parameters']['DomainId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The rotation, waiting or complete. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['DkimRotationResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      /** @description There is no such domain, its DKIM records were never verified, or it had a new key a short while ago. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @enum {unknown} */
              code?: 'DOMAIN_NOT_FOUND' | 'DKIM_NOT_VERIFIED' | 'DKIM_ROTATED_RECENTLY';
            };
          };
        };
      };
      422: components['responses']['InvalidDomainId'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  verifyDomainDkim: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the domain.
         * @example d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14
         */
        domain_id: components['parameters']['DomainId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Both records are as they should be. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OkResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      /** @description There is no such domain, or its DKIM records are not as they should be. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @enum {unknown} */
              code?: 'DOMAIN_NOT_FOUND' | 'DKIM_NOT_VERIFIED';
            };
          };
        };
      };
      422: components['responses']['InvalidDomainId'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  verifyDomainReturnPath: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the domain.
         * @example d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14
         */
        domain_id: components['parameters']['DomainId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The record is as it should be. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['OkResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      /** @description There is no such domain, or its Return-Path record is not as it should be. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @enum {unknown} */
              code?: 'DOMAIN_NOT_FOUND' | 'RETURN_PATH_NOT_VERIFIED';
            };
          };
        };
      };
      422: components['responses']['InvalidDomainId'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  listSuppressions: {
    parameters: {
      query?: {
        /**
         * @description Only what belongs to one of these accounts. Repeat the parameter to name several. An account that does not exist is an error (409).
         * @example [
         *       "6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3"
         *     ]
         */
        'account_ids[]'?: components['parameters']['AccountIdsFilter'];
        /**
         * @description Only entries made at this moment or later. The ends of the period may be given in either order.
         * @example 2026-03-01
         */
        period_from?: components['parameters']['SuppressionPeriodFrom'];
        /**
         * @description Only entries made at this moment or earlier.
         * @example 2026-03-31
         */
        period_to?: components['parameters']['SuppressionPeriodTo'];
        /**
         * @description Only what concerns this recipient. The whole address, in any letter case.
         * @example ada@customer.test
         */
        recipient_email?: components['parameters']['RecipientEmailFilter'];
        /**
         * @description Only what belongs to this message. One that does not exist gives an empty result.
         * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
         */
        message_id?: components['parameters']['MessageIdFilter'];
        /**
         * @description Only what belongs to messages with exactly this custom ID.
         * @example order-10042
         */
        message_custom_id?: components['parameters']['MessageCustomIdFilter'];
        /**
         * @description Only entries of one of these types. Repeat the parameter to name several.
         * @example [
         *       "manual"
         *     ]
         */
        'types[]'?: components['parameters']['SuppressionTypesFilter'];
        /**
         * @description Only entries whose reason contains this text, in any letter case.
         * @example telephone
         */
        reason?: components['parameters']['ReasonFilter'];
        /**
         * @description The most objects to return.
         * @example 30
         */
        limit?: components['parameters']['Limit'];
        /**
         * @description How many objects to skip, counted from the newest.
         * @example 0
         */
        offset?: components['parameters']['Offset'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of suppressions. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SuppressionListResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['AccountNotFound'];
      /** @description A parameter is malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  createSuppression: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description The address and the account. */
    requestBody: {
      content: {
        'application/json': components['schemas']['SuppressionCreate'];
      };
    };
    responses: {
      /** @description The new entry. */
      201: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SuppressionResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      /** @description The account does not exist, or the address is on its list already. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @enum {unknown} */
              code?: 'ACCOUNT_NOT_FOUND' | 'ENTITY_EXISTS';
            };
          };
        };
      };
      /** @description The body has missing or malformed fields. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  getSuppression: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the suppression.
         * @example a93e5d17-6b04-4c2f-8e59-f17c0d82b6a4
         */
        suppression_id: components['parameters']['SuppressionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The suppression. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SuppressionResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['SuppressionNotFound'];
      422: components['responses']['InvalidSuppressionId'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  deleteSuppression: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the suppression.
         * @example a93e5d17-6b04-4c2f-8e59-f17c0d82b6a4
         */
        suppression_id: components['parameters']['SuppressionId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The entry as it was. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['SuppressionResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      409: components['responses']['SuppressionNotFound'];
      422: components['responses']['InvalidSuppressionId'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  listMessages: {
    parameters: {
      query?: {
        /**
         * @description One end of the period in which the messages were accepted, itself included. The default is today. The ends may be given in either order.
         * @example 2026-03-01
         */
        period_from?: components['parameters']['MessagePeriodFrom'];
        /**
         * @description The other end of the period, itself included. The default is today minus 60 days, so that without both the last 60 days are meant; with `period_from` alone, the time from there up to now; with `period_to` alone, the 60 days before it.
         * @example 2026-03-31
         */
        period_to?: components['parameters']['MessagePeriodTo'];
        /**
         * @description Only what belongs to one of these accounts. Repeat the parameter to name several. An account that does not exist is an error (409).
         * @example [
         *       "6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3"
         *     ]
         */
        'account_ids[]'?: components['parameters']['AccountIdsFilter'];
        /**
         * @description Only messages sent from one of these domains. Repeat the parameter to name several. A domain that never existed is an error (409); a deleted one can still be searched for.
         * @example [
         *       "d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14"
         *     ]
         */
        'domain_ids[]'?: components['parameters']['DomainIdsFilter'];
        /**
         * @description Only messages that had an event of one of these types, at any time. Repeat the parameter to name several. `unsibscribe` is an old spelling of `unsubscribe` and means the same.
         * @example [
         *       "delivery",
         *       "open"
         *     ]
         */
        'events[]'?: components['parameters']['EventsFilter'];
        /**
         * @description Only what concerns this recipient. The whole address, in any letter case.
         * @example ada@customer.test
         */
        recipient_email?: components['parameters']['RecipientEmailFilter'];
        /**
         * @description Only messages from this sender. The whole address, in any letter case.
         * @example hello@demo.test
         */
        from_email?: components['parameters']['FromEmailFilter'];
        /**
         * @description Only messages whose subject contains this text, in any letter case.
         * @example order
         */
        subject?: components['parameters']['SubjectFilter'];
        /**
         * @description Only what belongs to this message. One that does not exist gives an empty result.
         * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
         */
        message_id?: components['parameters']['MessageIdFilter'];
        /**
         * @description Only what belongs to messages with exactly this custom ID.
         * @example order-10042
         */
        message_custom_id?: components['parameters']['MessageCustomIdFilter'];
        /**
         * @description The most objects to return.
         * @example 30
         */
        limit?: components['parameters']['Limit'];
        /**
         * @description How many objects to skip, counted from the newest.
         * @example 0
         */
        offset?: components['parameters']['Offset'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of messages. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MessageListResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description An account or a domain of the filters does not exist. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @enum {unknown} */
              code?: 'ACCOUNT_NOT_FOUND' | 'DOMAIN_NOT_FOUND';
            };
          };
        };
      };
      /** @description A parameter is malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  exportMessages: {
    parameters: {
      query?: {
        /**
         * @description One end of the period in which the messages were accepted, itself included. The default is today. The ends may be given in either order.
         * @example 2026-03-01
         */
        period_from?: components['parameters']['MessagePeriodFrom'];
        /**
         * @description The other end of the period, itself included. The default is today minus 60 days, so that without both the last 60 days are meant; with `period_from` alone, the time from there up to now; with `period_to` alone, the 60 days before it.
         * @example 2026-03-31
         */
        period_to?: components['parameters']['MessagePeriodTo'];
        /**
         * @description Only what belongs to one of these accounts. Repeat the parameter to name several. An account that does not exist is an error (409).
         * @example [
         *       "6f1c0a52-8d3e-4b7f-9a21-5c0e7d94b8f3"
         *     ]
         */
        'account_ids[]'?: components['parameters']['AccountIdsFilter'];
        /**
         * @description Only messages sent from one of these domains. Repeat the parameter to name several. A domain that never existed is an error (409); a deleted one can still be searched for.
         * @example [
         *       "d40b7e9a-1c25-4a86-b3f7-2e8d5f609c14"
         *     ]
         */
        'domain_ids[]'?: components['parameters']['DomainIdsFilter'];
        /**
         * @description Only messages that had an event of one of these types, at any time. Repeat the parameter to name several. `unsibscribe` is an old spelling of `unsubscribe` and means the same.
         * @example [
         *       "delivery",
         *       "open"
         *     ]
         */
        'events[]'?: components['parameters']['EventsFilter'];
        /**
         * @description Only what concerns this recipient. The whole address, in any letter case.
         * @example ada@customer.test
         */
        recipient_email?: components['parameters']['RecipientEmailFilter'];
        /**
         * @description Only messages from this sender. The whole address, in any letter case.
         * @example hello@demo.test
         */
        from_email?: components['parameters']['FromEmailFilter'];
        /**
         * @description Only messages whose subject contains this text, in any letter case.
         * @example order
         */
        subject?: components['parameters']['SubjectFilter'];
        /**
         * @description Only what belongs to this message. One that does not exist gives an empty result.
         * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
         */
        message_id?: components['parameters']['MessageIdFilter'];
        /**
         * @description Only what belongs to messages with exactly this custom ID.
         * @example order-10042
         */
        message_custom_id?: components['parameters']['MessageCustomIdFilter'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The messages. */
      200: {
        headers: {
          'Content-Disposition': components['headers']['ContentDisposition'];
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'text/csv': components['schemas']['MessagesCsv'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      /** @description An account or a domain of the filters does not exist. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @enum {unknown} */
              code?: 'ACCOUNT_NOT_FOUND' | 'DOMAIN_NOT_FOUND';
            };
          };
        };
      };
      /** @description A parameter is malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  getMessage: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the message.
         * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
         */
        message_id: components['parameters']['MessageId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The message. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MessageResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['MessageNotFound'];
      422: components['responses']['InvalidMessageId'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  listMessageEvents: {
    parameters: {
      query?: {
        /**
         * @description The most objects to return.
         * @example 30
         */
        limit?: components['parameters']['Limit'];
        /**
         * @description How many objects to skip, counted from the newest.
         * @example 0
         */
        offset?: components['parameters']['Offset'];
      };
      header?: never;
      path: {
        /**
         * @description The identifier of the message.
         * @example 1e8f6b30-9d47-4c15-a2e6-7b05c3d9f812
         */
        message_id: components['parameters']['MessageId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of events. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MessageEventListResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['MessageNotFound'];
      /** @description The identifier or another parameter is malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  getStats: {
    parameters: {
      query: {
        /**
         * @description One end of the period, itself included. The ends may be given in either order.
         * @example 2026-03-01
         */
        period_from: components['parameters']['StatisticsPeriodFrom'];
        /**
         * @description The other end of the period, itself included. A date means the whole of that day in UTC.
         * @example 2026-03-31
         */
        period_to: components['parameters']['StatisticsPeriodTo'];
        /**
         * @description `1` asks for a breakdown by account. Not together with `all_domains=1`.
         * @example 1
         */
        all_accounts?: components['parameters']['AllAccounts'];
        /**
         * @description `1` asks for a breakdown by domain. Not together with `all_accounts=1`.
         * @example 0
         */
        all_domains?: components['parameters']['AllDomains'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The counts. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['StatisticsResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description A parameter is missing or malformed, or both breakdowns were asked for. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  listUsers: {
    parameters: {
      query?: {
        /**
         * @description The most objects to return.
         * @example 30
         */
        limit?: components['parameters']['Limit'];
        /**
         * @description How many objects to skip, counted from the newest.
         * @example 0
         */
        offset?: components['parameters']['Offset'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of users. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserListResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      /** @description A parameter is malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  createUser: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UserCreate'];
      };
    };
    responses: {
      /** @description The user was created. */
      201: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['ViewerForbidden'];
      /** @description The email address belongs to a user already. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @constant */
              code?: 'ENTITY_EXISTS';
            };
          };
        };
      };
      /** @description A field is missing or malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  getUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the user.
         * @example 3b9a61f8-47d2-4e0c-b5a9-c81f2e70d364
         */
        user_id: components['parameters']['UserId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The user. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['Forbidden'];
      409: components['responses']['UserNotFound'];
      422: components['responses']['InvalidUserId'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  deleteUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the user.
         * @example 3b9a61f8-47d2-4e0c-b5a9-c81f2e70d364
         */
        user_id: components['parameters']['UserId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The deleted user. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserResponse'];
        };
      };
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      /** @description The user does not exist, or is the last owner. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @enum {unknown} */
              code?: 'USER_NOT_FOUND' | 'LAST_OWNER';
            };
          };
        };
      };
      422: components['responses']['InvalidUserId'];
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  updateUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /**
         * @description The identifier of the user.
         * @example 3b9a61f8-47d2-4e0c-b5a9-c81f2e70d364
         */
        user_id: components['parameters']['UserId'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['UserUpdate'];
      };
    };
    responses: {
      /** @description The changed user. */
      200: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UserResponse'];
        };
      };
      400: components['responses']['InvalidJson'];
      401: components['responses']['Unauthorized'];
      403: components['responses']['WriteForbidden'];
      /** @description The user does not exist, or the change breaks a rule. */
      409: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Error'] & {
            data?: {
              /** @enum {unknown} */
              code?: 'USER_NOT_FOUND' | 'ENTITY_EXISTS' | 'LAST_OWNER';
            };
          };
        };
      };
      /** @description The identifier or a field is malformed. */
      422: {
        headers: {
          'RateLimit-Limit': components['headers']['RateLimitLimit'];
          'RateLimit-Remaining': components['headers']['RateLimitRemaining'];
          'RateLimit-Reset': components['headers']['RateLimitReset'];
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ValidationError'];
        };
      };
      429: components['responses']['TooManyRequests'];
      500: components['responses']['InternalServerError'];
    };
  };
  onMessageDelivery: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Identifies the notification. It stays the same when the request is repeated or replayed, so that a receiver can tell that it has seen it. The delivery log calls it `notification_id`.
         * @example 0d6e92b4-7c58-8f31-a4e0-6b9f2c13d875
         */
        'webhook-id': components['parameters']['WebhookIdHeader'];
        /**
         * @description When this attempt was made, in seconds since 1970. Refuse a request that is older than a few minutes.
         * @example 1773480414
         */
        'webhook-timestamp': components['parameters']['WebhookTimestampHeader'];
        /**
         * @description One or more signatures, separated by spaces, each `v1,` and the Base64 form of the HMAC-SHA256 of `id.timestamp.body` under a secret of the endpoint. There are several while the secret changes; one that matches is enough.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': components['parameters']['WebhookSignatureHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MessageDeliveryPayload'];
      };
    };
    responses: {
      /** @description The endpoint is gone for good. It is disabled and gets nothing more. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. Any 2xx counts, its body is ignored; answer within 15 seconds. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received; the request is repeated. A redirect is not followed and counts as a failure. `Retry-After` is obeyed. After five days of nothing but failures the endpoint is disabled. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onMessageHardBounce: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Identifies the notification. It stays the same when the request is repeated or replayed, so that a receiver can tell that it has seen it. The delivery log calls it `notification_id`.
         * @example 0d6e92b4-7c58-8f31-a4e0-6b9f2c13d875
         */
        'webhook-id': components['parameters']['WebhookIdHeader'];
        /**
         * @description When this attempt was made, in seconds since 1970. Refuse a request that is older than a few minutes.
         * @example 1773480414
         */
        'webhook-timestamp': components['parameters']['WebhookTimestampHeader'];
        /**
         * @description One or more signatures, separated by spaces, each `v1,` and the Base64 form of the HMAC-SHA256 of `id.timestamp.body` under a secret of the endpoint. There are several while the secret changes; one that matches is enough.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': components['parameters']['WebhookSignatureHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MessageHardBouncePayload'];
      };
    };
    responses: {
      /** @description The endpoint is gone for good. It is disabled and gets nothing more. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. Any 2xx counts, its body is ignored; answer within 15 seconds. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received; the request is repeated. A redirect is not followed and counts as a failure. `Retry-After` is obeyed. After five days of nothing but failures the endpoint is disabled. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onMessageSoftBounce: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Identifies the notification. It stays the same when the request is repeated or replayed, so that a receiver can tell that it has seen it. The delivery log calls it `notification_id`.
         * @example 0d6e92b4-7c58-8f31-a4e0-6b9f2c13d875
         */
        'webhook-id': components['parameters']['WebhookIdHeader'];
        /**
         * @description When this attempt was made, in seconds since 1970. Refuse a request that is older than a few minutes.
         * @example 1773480414
         */
        'webhook-timestamp': components['parameters']['WebhookTimestampHeader'];
        /**
         * @description One or more signatures, separated by spaces, each `v1,` and the Base64 form of the HMAC-SHA256 of `id.timestamp.body` under a secret of the endpoint. There are several while the secret changes; one that matches is enough.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': components['parameters']['WebhookSignatureHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MessageSoftBouncePayload'];
      };
    };
    responses: {
      /** @description The endpoint is gone for good. It is disabled and gets nothing more. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. Any 2xx counts, its body is ignored; answer within 15 seconds. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received; the request is repeated. A redirect is not followed and counts as a failure. `Retry-After` is obeyed. After five days of nothing but failures the endpoint is disabled. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onMessageSpamComplaint: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Identifies the notification. It stays the same when the request is repeated or replayed, so that a receiver can tell that it has seen it. The delivery log calls it `notification_id`.
         * @example 0d6e92b4-7c58-8f31-a4e0-6b9f2c13d875
         */
        'webhook-id': components['parameters']['WebhookIdHeader'];
        /**
         * @description When this attempt was made, in seconds since 1970. Refuse a request that is older than a few minutes.
         * @example 1773480414
         */
        'webhook-timestamp': components['parameters']['WebhookTimestampHeader'];
        /**
         * @description One or more signatures, separated by spaces, each `v1,` and the Base64 form of the HMAC-SHA256 of `id.timestamp.body` under a secret of the endpoint. There are several while the secret changes; one that matches is enough.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': components['parameters']['WebhookSignatureHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MessageSpamComplaintPayload'];
      };
    };
    responses: {
      /** @description The endpoint is gone for good. It is disabled and gets nothing more. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. Any 2xx counts, its body is ignored; answer within 15 seconds. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received; the request is repeated. A redirect is not followed and counts as a failure. `Retry-After` is obeyed. After five days of nothing but failures the endpoint is disabled. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onMessageUnsubscribe: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Identifies the notification. It stays the same when the request is repeated or replayed, so that a receiver can tell that it has seen it. The delivery log calls it `notification_id`.
         * @example 0d6e92b4-7c58-8f31-a4e0-6b9f2c13d875
         */
        'webhook-id': components['parameters']['WebhookIdHeader'];
        /**
         * @description When this attempt was made, in seconds since 1970. Refuse a request that is older than a few minutes.
         * @example 1773480414
         */
        'webhook-timestamp': components['parameters']['WebhookTimestampHeader'];
        /**
         * @description One or more signatures, separated by spaces, each `v1,` and the Base64 form of the HMAC-SHA256 of `id.timestamp.body` under a secret of the endpoint. There are several while the secret changes; one that matches is enough.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': components['parameters']['WebhookSignatureHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MessageUnsubscribePayload'];
      };
    };
    responses: {
      /** @description The endpoint is gone for good. It is disabled and gets nothing more. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. Any 2xx counts, its body is ignored; answer within 15 seconds. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received; the request is repeated. A redirect is not followed and counts as a failure. `Retry-After` is obeyed. After five days of nothing but failures the endpoint is disabled. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onMessageOpen: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Identifies the notification. It stays the same when the request is repeated or replayed, so that a receiver can tell that it has seen it. The delivery log calls it `notification_id`.
         * @example 0d6e92b4-7c58-8f31-a4e0-6b9f2c13d875
         */
        'webhook-id': components['parameters']['WebhookIdHeader'];
        /**
         * @description When this attempt was made, in seconds since 1970. Refuse a request that is older than a few minutes.
         * @example 1773480414
         */
        'webhook-timestamp': components['parameters']['WebhookTimestampHeader'];
        /**
         * @description One or more signatures, separated by spaces, each `v1,` and the Base64 form of the HMAC-SHA256 of `id.timestamp.body` under a secret of the endpoint. There are several while the secret changes; one that matches is enough.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': components['parameters']['WebhookSignatureHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MessageOpenPayload'];
      };
    };
    responses: {
      /** @description The endpoint is gone for good. It is disabled and gets nothing more. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. Any 2xx counts, its body is ignored; answer within 15 seconds. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received; the request is repeated. A redirect is not followed and counts as a failure. `Retry-After` is obeyed. After five days of nothing but failures the endpoint is disabled. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  onMessageClick: {
    parameters: {
      query?: never;
      header: {
        /**
         * @description Identifies the notification. It stays the same when the request is repeated or replayed, so that a receiver can tell that it has seen it. The delivery log calls it `notification_id`.
         * @example 0d6e92b4-7c58-8f31-a4e0-6b9f2c13d875
         */
        'webhook-id': components['parameters']['WebhookIdHeader'];
        /**
         * @description When this attempt was made, in seconds since 1970. Refuse a request that is older than a few minutes.
         * @example 1773480414
         */
        'webhook-timestamp': components['parameters']['WebhookTimestampHeader'];
        /**
         * @description One or more signatures, separated by spaces, each `v1,` and the Base64 form of the HMAC-SHA256 of `id.timestamp.body` under a secret of the endpoint. There are several while the secret changes; one that matches is enough.
         * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
         */
        'webhook-signature': components['parameters']['WebhookSignatureHeader'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['MessageClickPayload'];
      };
    };
    responses: {
      /** @description The endpoint is gone for good. It is disabled and gets nothing more. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. Any 2xx counts, its body is ignored; answer within 15 seconds. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received; the request is repeated. A redirect is not followed and counts as a failure. `Retry-After` is obeyed. After five days of nothing but failures the endpoint is disabled. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
