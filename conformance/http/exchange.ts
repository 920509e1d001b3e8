import type { OperationId } from '../../generated/operations.ts';

/** A request as it is sent. */
export interface SentRequest {
  readonly method: string;
  /** Path and query, with the prefix of the target. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/** A whole response. Header names are in lower case, repeated headers joined by commas. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What went over the wire, or why nothing came back. */
export interface Exchange {
  /** The operation that the request is meant for; undefined for an endpoint that the contract does not know. */
  readonly operation: OperationId | undefined;
  readonly request: SentRequest;
  readonly response: ReceivedResponse | undefined;
  readonly fault: string | undefined;
  /** The server's own request, a notification, and the origin of the receiver that answered it. */
  readonly receivedAt?: string;
}

/** No whole HTTP response came back. `refused` means that nothing listens there: the run as a whole has no server any more. */
export class TransportFault extends Error {
  readonly kind: 'refused' | 'tls' | 'broken' | 'timeout' | 'too_large';

  constructor(kind: TransportFault['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}
