import type { MessageEvent } from '../domain/events.ts';
import type { Period } from '../domain/periods.ts';
import type { Timestamp } from '../domain/time.ts';
import type { OrganisationId } from './column-types.ts';
import type {
  CapturedMail,
  DeliveryJob,
  DeliveryRecord,
  Forward,
  MailReport,
  OutgoingMessage,
  SigningKey,
  Subscription,
} from './delivery-rows.ts';
import type { RecordedEvents } from './events.ts';
import type { OperatorStore } from './operator-store.ts';
import type {
  AcceptableMessage,
  AcceptResult,
  AccountFilter,
  AccountRow,
  ApiKeyRow,
  CreatedApiKeyRow,
  DkimRecordRow,
  DkimRotationRow,
  DomainChange,
  DomainFilter,
  DomainRow,
  ExportRow,
  MessageEventRow,
  MessageFilter,
  MessageRow,
  NewDomain,
  NewSuppression,
  NewUser,
  OrganisationRow,
  Page,
  PageRequest,
  StatisticsRow,
  SuppressionFilter,
  SuppressionRow,
  TokenRow,
  UserChange,
  UserRow,
  WaitingRotation,
} from './rows.ts';
import type { AccountStatus, AccountType, UserRole } from './schema.ts';
import type { PurgeProgress } from './system/retention.ts';
import type { NotificationStore, WebhookStore } from './webhook-store.ts';

// Errors are ApiErrors of the contract: an id that never was (or was deleted) is `<ENTITY>_NOT_FOUND` (409), an id of
// another organisation ACCESS_DENIED (403), wherever the id stood.

export interface AccountStore {
  create(account: { name: string; type: AccountType }): Promise<AccountRow>;
  get(accountId: string): Promise<AccountRow>;
  update(
    accountId: string,
    change: { name: string; status?: AccountStatus | undefined },
  ): Promise<AccountRow>;
  /** Deletes the account with its keys, suppressions, log and counters, and cancels what is still queued. */
  delete(accountId: string): Promise<AccountRow>;
  list(filter: AccountFilter, page: PageRequest): Promise<Page<AccountRow>>;
}

export interface ApiKeyStore {
  create(accountId: string, key: { name: string }): Promise<CreatedApiKeyRow>;
  list(accountId: string, page: PageRequest): Promise<Page<ApiKeyRow>>;
  /** API_KEY_NOT_FOUND also when the key is another account's. */
  revoke(accountId: string, apiKeyId: string): Promise<ApiKeyRow>;
}

export interface DomainStore {
  /** ENTITY_EXISTS when the organisation has the name already. */
  create(domain: NewDomain): Promise<DomainRow>;
  get(domainId: string): Promise<DomainRow>;
  /** Replaces the assigned accounts; a changed `return_path_hostname` has to be verified again. */
  update(domainId: string, change: DomainChange): Promise<DomainRow>;
  /** No new mail from it; its messages stay readable. */
  delete(domainId: string): Promise<DomainRow>;
  list(filter: DomainFilter, page: PageRequest): Promise<Page<DomainRow>>;
  /** The DKIM records that the domain's DNS has to show, in the order of their selectors. */
  dkimKeys(domainId: string): Promise<DkimRecordRow[]>;
  markDkimVerified(domainId: string): Promise<void>;
  /**
   * Gives the selector that does not sign a new key, which signs once it is completed, or `atOnce`; a rotation that waits already goes
   * on as it is. DKIM_NOT_VERIFIED before the first verification, DKIM_ROTATED_RECENTLY while the key before is needed.
   */
  rotateDkim(domainId: string, options: { atOnce: boolean }): Promise<DkimRotationRow>;
  /** How far the last rotation is. */
  dkimRotation(domainId: string): Promise<DkimRotationRow>;
  /** `returnPathHostname` is the one that was looked up: when it has changed meanwhile, nothing is marked. */
  markReturnPathVerified(domainId: string, returnPathHostname: string): Promise<void>;
}

export interface SuppressionStore {
  /** ENTITY_EXISTS when the account suppresses the address already, in whatever case. */
  create(suppression: NewSuppression): Promise<SuppressionRow>;
  get(suppressionId: string): Promise<SuppressionRow>;
  delete(suppressionId: string): Promise<SuppressionRow>;
  list(filter: SuppressionFilter, page: PageRequest): Promise<Page<SuppressionRow>>;
}

export interface MessageStore {
  /** Accepts what may be accepted, in one transaction; the results are in the order of the candidates. ACCESS_DENIED for a disabled account. */
  accept(accountId: string, candidates: readonly AcceptableMessage[]): Promise<AcceptResult[]>;
  get(messageId: string): Promise<MessageRow>;
  list(filter: MessageFilter, page: PageRequest): Promise<Page<MessageRow>>;
  /** Newest first, like every list. */
  listEvents(messageId: string, page: PageRequest): Promise<Page<MessageEventRow>>;
  /** Checks the ids of the filter, then gives the rows newest first in pages of some thousand, in constant memory. */
  exportPages(filter: MessageFilter): Promise<AsyncIterable<ExportRow[]>>;
}

export interface StatisticsStore {
  read(period: Period, breakdown?: 'accounts' | 'domains'): Promise<StatisticsRow>;
}

export interface UserStore {
  /** ENTITY_EXISTS when anybody has the address, in whatever case. */
  create(user: NewUser): Promise<UserRow>;
  get(userId: string): Promise<UserRow>;
  /**
   * Ends the user's sessions when the role or the password changes, and resets that were asked for when the password or
   * the address does. LAST_OWNER when no owner would be left.
   */
  update(userId: string, change: UserChange): Promise<UserRow>;
  /** LAST_OWNER when no owner would be left. */
  delete(userId: string): Promise<UserRow>;
  list(page: PageRequest): Promise<Page<UserRow>>;
}

/** All that the callers of one organisation can reach. */
export interface OrganisationStore {
  accounts: AccountStore;
  apiKeys: ApiKeyStore;
  domains: DomainStore;
  suppressions: SuppressionStore;
  messages: MessageStore;
  statistics: StatisticsStore;
  users: UserStore;
  webhooks: WebhookStore;
}

/** Who a bearer token belongs to. */
export interface UserCaller {
  userId: string;
  role: UserRole;
  sessionId: string;
  organisationId: OrganisationId;
}

/** Which account an API key belongs to. A disabled account is still known: its caller is told 403, not 401. */
export interface AccountCaller {
  accountId: string;
  status: AccountStatus;
  organisationId: OrganisationId;
}

/** Proof of identity, and the sessions that come of it. */
export interface AuthenticationStore {
  /** Undefined for a token that is unknown, expired or ended. */
  byToken(accessToken: string): Promise<UserCaller | undefined>;
  /** Undefined for an unknown account or a key that is not one of its own. */
  byApiKey(accountId: string, apiKey: string): Promise<AccountCaller | undefined>;
  /** INVALID_CREDENTIALS for an unknown address as for a wrong password, at the same cost. */
  login(email: string, password: string): Promise<TokenRow>;
  /** INVALID_CREDENTIALS; a refresh token that was used before also ends its session. */
  refresh(refreshToken: string): Promise<TokenRow>;
  logout(sessionId: string): Promise<void>;
  /** ENTITY_EXISTS when anybody has the address, in whatever case. */
  register(registration: {
    organisation_name: string;
    name: string;
    email: string;
    password: string;
  }): Promise<{ user: UserRow; organisation: OrganisationRow; organisationId: OrganisationId }>;
  /** A token for whoever mails it; undefined when nobody has the address (the caller is not told). */
  requestPasswordReset(email: string): Promise<{ email: string; name: string; token: string } | undefined>;
  /** Ends the user's sessions. PASSWORD_RESET_NOT_FOUND when the token is unknown, used or too old. */
  confirmPasswordReset(token: string, password: string): Promise<void>;
}

/** What the delivery worker and the listeners for the outside world need, across organisations. */
export interface DeliveryStore {
  /** The messages behind these ids that are still to be delivered, in no special order; a missing one has nothing left to do. */
  load(messageIds: readonly string[]): Promise<OutgoingMessage[]>;
  /** In one transaction: delivery log, events and all that follows, content of final messages, finished and retried jobs. */
  record(records: readonly DeliveryRecord[]): Promise<RecordedEvents>;
  /** Drops jobs whose message is not to be delivered any more. */
  discard(jobs: readonly DeliveryJob[]): Promise<void>;
  /** Events from elsewhere than a delivery: bounce mails, complaints, visits, unsubscriptions. */
  recordEvents(events: readonly MessageEvent[]): Promise<RecordedEvents>;
  /** Undefined when no key has this id (any more). */
  signingKey(dkimKeyId: string): Promise<SigningKey | undefined>;
  /** Undefined when the message, or its account, is gone. */
  subscription(messageId: string): Promise<Subscription | undefined>;
}

/** What comes back by mail, across organisations. */
export interface ReportStore {
  /** When a message was accepted; undefined when it, or its account, is gone. */
  acceptedAt(messageId: string): Promise<Timestamp | undefined>;
  /** In one transaction: the event and all that follows, its entry in the delivery log, what is to be forwarded. False when nothing was new. */
  record(report: MailReport): Promise<boolean>;
  /** Whether bounces of some domain come back to this host. */
  isReturnPathHost(host: string): Promise<boolean>;
  /** Queues a mail to be forwarded that is about no message. */
  queueForward(forward: { recipient: string; raw: Uint8Array; receivedAt: Timestamp }): Promise<void>;
  /**
   * Takes up to so many due forwards, one for each domain of a recipient that is not `busy`. They are due again at `until`, unless
   * they are held longer, finished or put off before: this process may die.
   */
  takeForwards(limit: number, choice: { until: Timestamp; busy: readonly string[] }): Promise<Forward[]>;
  holdForwards(forwardIds: readonly string[], until: Timestamp): Promise<void>;
  finishForward(forwardId: string): Promise<void>;
  putOffForward(forwardId: string, change: { until: Timestamp; attempts: number }): Promise<void>;
}

/** What the sandbox keeps: the mails of the sink, and its settings. */
export interface SandboxStore {
  capture(mails: readonly CapturedMail[]): Promise<void>;
  /** Newest first; `to` in any case, `containing` a text that stands in the mail in ASCII. */
  captured(query: {
    to?: string | undefined;
    containing?: string | undefined;
    limit: number;
  }): Promise<CapturedMail[]>;
  /** Keeps the newest so many. */
  prune(keep: number): Promise<void>;
}

/** The parts of the store that no single organisation owns. */
export interface SystemStore {
  forOrganisation(organisationId: OrganisationId): OrganisationStore;
  authentication: AuthenticationStore;
  delivery: DeliveryStore;
  reports: ReportStore;
  notifications: NotificationStore;
  sandbox: SandboxStore;
  settings: {
    get(key: string): Promise<unknown>;
    set(key: string, value: unknown): Promise<void>;
    /** Sets what nobody has set yet, and returns what stands there now: of several processes that try, all get the same. */
    setOnce(key: string, value: unknown): Promise<unknown>;
  };
  operator: OperatorStore;
  zone: {
    /** The DKIM key of every sending domain, and the name that its CNAME points to. */
    dkimKeys(): Promise<{ target: string; publicKey: string }[]>;
  };
  dkim: {
    /** The rotations whose new key does not sign yet, the longest waiting first; of one domain, if it is named. */
    waiting(domainId?: string): Promise<WaitingRotation[]>;
    /** From now on the new key signs. Does nothing when somebody else has completed this rotation. */
    complete(rotation: WaitingRotation): Promise<void>;
    /** The domains of this name, or the one with this id, in every organisation. */
    named(nameOrId: string): Promise<{ domainId: string; organisationId: OrganisationId }[]>;
  };
  maintenance: {
    /** Deletes up to `limit` messages of deleted accounts; returns how many, 0 when none is left. */
    purgeDeletedAccounts(limit: number): Promise<number>;
    /**
     * Looks at up to `limit` messages behind the cursor, in the order of acceptance, and deletes those accepted before the
     * moment with all that the log has of them; what still waits stays. Returns where the next step begins, if there is one.
     */
    purgeLog(before: Timestamp, cursor: string, limit: number): Promise<PurgeProgress>;
    /** Deletes up to `limit` hours of statistics before the moment, unless messages of theirs are left; returns how many. */
    purgeStatistics(before: Timestamp, limit: number): Promise<number>;
    /** Deletes up to `limit` ended notifications made before the moment, or any of deleted webhooks, which go last; returns how many. */
    purgeNotifications(before: Timestamp, limit: number): Promise<number>;
    /** Ends up to `limit` notifications as failed that have waited for a disabled webhook for more than five days; returns how many. */
    giveUpNotifications(limit: number): Promise<number>;
    /** Deletes sessions and password resets that have expired. */
    purgeExpired(): Promise<void>;
  };
  /** Whether the database answers; throws what it throws when it does not. */
  ping(): Promise<void>;
}
