import type { Rule } from './rule.ts';

export const EVENT_RULES = [
  {
    rule: 'Message event: received_at, type, details.',
    operations: ['listMessageEvents'],
    faults: {
      'events.details-missing': 'events have no details',
      'events.details-null': 'empty details are null',
      'events.received-at-without-offset': 'received_at has no offset',
      'events.type-prefixed': 'types carry the prefix message.',
    },
  },
  {
    rule: 'details: smtp_response and smtp_log_id for delivery and bounces, user_agent and user_ip for open and click, list_id for unsubscribe.',
    operations: ['listMessageEvents'],
    faults: {
      'events.smtp-log-id-missing': 'there is no smtp_log_id',
      'events.smtp-response-missing': 'there is no smtp_response',
      'events.user-agent-missing': 'there is no user_agent',
      'events.user-ip-missing': 'there is no user_ip',
      'events.list-id-missing': 'there is no list_id',
    },
  },
  {
    rule: 'Every message has the event `new`, and each event once.',
    operations: ['listMessageEvents'],
    faults: {
      'events.new-missing': 'there is no event new',
      'events.delivery-missing': 'a delivered message has no event delivery',
      'events.twice': 'the event delivery is listed twice',
      'events.of-other-messages': 'the list has the events of all messages of the account',
    },
  },
  {
    rule: 'message.open requires track_opens on the message and message.click requires track_clicks.',
    operations: ['listMessageEvents', 'sendEmail'],
    faults: {
      'events.open-untracked': 'a message without track_opens is opened',
      'events.click-untracked': 'a link of a message without track_clicks is clicked',
    },
  },
  {
    rule: 'A resource unavailable because of permissions yields 403.',
    operations: ['listMessageEvents'],
    faults: {
      'events.list-leaks': 'anybody reads the events of a message',
    },
  },
] as const satisfies readonly Rule[];

export const STATISTICS_RULES = [
  {
    rule: 'Statistics aggregate delivery and engagement counts over a period.',
    operations: ['getStats'],
    faults: {
      'stats.messages-drifts': 'messages is one too many',
      'stats.delivery-drifts': 'delivery is one too many',
      'stats.hard_bounce-drifts': 'hard_bounce is one too many',
      'stats.soft_bounce-drifts': 'soft_bounce is one too many',
      'stats.spam_complaint-drifts': 'spam_complaint is one too many',
      'stats.unsubscribe-drifts': 'unsubscribe is one too many',
      'stats.open-drifts': 'open is one too many',
      'stats.click-drifts': 'click is one too many',
      'stats.track_opens-drifts': 'track_opens is one too many',
      'stats.track_clicks-drifts': 'track_clicks is one too many',
      'stats.unique_opens-drifts': 'unique_opens is one too many',
      'stats.unique_clicks-drifts': 'unique_clicks is one too many',
      'stats.unique-opens-count-all': 'unique_opens counts every open',
    },
  },
  {
    rule: 'stats_summary is always present, with every counter; period_from and period_to.',
    operations: ['getStats'],
    faults: {
      'stats.summary-missing': 'there is no stats_summary',
      'stats.counter-missing': 'there is no unique_clicks',
      'stats.counter-null': 'click is null',
      'stats.period-missing': 'there is no period',
    },
  },
  {
    rule: 'breakdown is present only when a breakdown by accounts or domains is requested.',
    operations: ['getStats'],
    faults: {
      'stats.breakdown-always': 'there is always a breakdown',
      'stats.breakdown-never': 'there is never a breakdown',
      'stats.breakdowns-swapped': 'all_accounts gives domains and all_domains accounts',
      'stats.both-breakdowns-accepted': 'both breakdowns at once are accepted',
      'stats.breakdown-without-names': 'the items have no name',
    },
  },
  {
    rule: 'A breakdown lists every account (domain), zeros included, each with its own counts.',
    operations: ['getStats'],
    faults: {
      'stats.zeros-missing': 'accounts without messages are missing',
      'stats.breakdown-repeats-summary': 'every item has the counts of the whole',
      'stats.former-domains-missing': 'a deleted domain with messages is missing',
    },
  },
  {
    rule: 'period_from, period_to (required); both ends are inclusive, in either order.',
    operations: ['getStats'],
    faults: {
      'stats.period-optional': 'the period may be missing',
      'stats.period-end-excluded': 'the end does not belong to the period',
      'stats.swapped-period-empty': 'a period whose later end comes first is empty',
    },
  },
  {
    rule: 'Messages are counted by the time they were accepted and everything else by the time it happened.',
    operations: ['getStats'],
    faults: {
      'stats.period-by-acceptance': 'events are counted by the acceptance of their message',
    },
  },
  {
    rule: 'Everything belongs to an organisation; its users see all of it, and nothing else.',
    operations: ['getStats'],
    faults: {
      'stats.leaks': 'messages of all organisations are counted',
      'stats.breakdown-leaks': 'the breakdown names accounts of others',
    },
  },
] as const satisfies readonly Rule[];
