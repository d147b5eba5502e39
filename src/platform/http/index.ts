import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import { Type } from 'typebox'
import type { Caller } from '#lib/caller.ts'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from '../database/index.ts'
import type { Deps } from '../deps.ts'
import type { Change } from './differences.ts'

/** Who may call a route. */
export type Access = 'public' | 'user' | 'admin' | 'bot' | 'daemon'

/** The application that routes are added to. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Adds the routes of a slice. */
export type Routes = (app: App, deps: Deps) => Promise<void> | void

/** The facts about a request that the hooks have found before its handler runs. */
export type RequestScope = {
  tenantId: string
  /** Whether the tenant's shop is suspended: only its staff is served. */
  suspended: boolean
  caller: Caller | null
  now: Instant
  startedMs: number
  db: Db
  /** The counter of this caller's general quota. */
  generalKey: string
  /** The user who signed in with this request, or proved by a link who they are; before that there was no caller. */
  provenId: string | null
  /** Whether a transaction of this request was committed. */
  changed: boolean
  idempotency: { requestHash: Buffer; key: string } | null
  /** The id of this request's entry in the audit log, once it has one. */
  entryId: string | null
  /** The entries of objects that a request changed one by one; they are completed with the response. */
  parts: { readonly entryId: string; readonly objectId: string }[]
  /** The edit of an object, in the first transaction of the request; null for other requests. */
  edit: EditScope | null
}

/** What happens around the work of an edit, in its transaction. */
export type EditScope = {
  /** Reads the object, and throws if it is not the expected version. */
  began(tx: Tx): Promise<void>
  /** The values that the work has changed. */
  changes(tx: Tx): Promise<readonly Change[]>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the first hook has run. */
    scope: RequestScope
    /** The caller. Only on routes that are not public. */
    readonly caller: Caller
    /** The caller, on a public route that also serves people who are signed in. */
    readonly visitor: Caller | null
    readonly tenantId: string
    /** The rows of the request's tenant, for reading. */
    readonly db: Db
    /** The time at which this request began. */
    readonly now: Instant
    /** Runs `work` in one transaction, with the audit entry and the idempotency key in it. */
    readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
    /** Like `transact`, with an audit entry of its own for the object: for changes of several objects. */
    readonly transactOn: <T>(objectId: string, work: (tx: Tx) => Promise<T>) => Promise<T>
    /** Counts a failed guess against the authentication quota. Throws 429 if it is used up. */
    readonly spendAuthQuota: () => Promise<void>
  }
  interface FastifyContextConfig {
    access?: Access
    /** The permission that an admin route requires, `store:write`, or the scope that a bot's route does. */
    permission?: string
    /** Open to every member of staff: parts without the required permission are left out of the response. */
    anyStaff?: boolean
    /** `auth`: counted against the authentication quota as well. */
    quota?: 'auth'
    /** Not counted against the general quota: the callers of this route never retry a 429. */
    uncounted?: boolean
    /**
     * About this process, not about a shop: it responds without a tenant while the database cannot tell whose shop is
     * meant.
     */
    ofProcess?: boolean
    /** The credential that the route checks itself; the access hook treats the route as public. */
    credential?: 'metrics' | 'oidc' | 'oauthClient' | 'provider' | 'delivery'
    /** Other parties add query parameters of their own: return addresses, webhooks, OpenID Connect. */
    openQuery?: boolean
    /** The response contains a secret or a bearer link, and is never stored for a replay. */
    secretAnswer?: boolean
    /** Sets or removes the session cookie of a browser that requests one. */
    setsCookie?: boolean
    /**
     * Whether an administrator who acts as the caller may call it. Refused by default; never allowed for routes that
     * show or change how a person signs in or pays, or what they agreed to.
     */
    impersonation?: 'allowed'
    /**
     * True for a read that is recorded in the audit log; reads of administrators are by default. False for requests of
     * administrators that are never recorded unless they are refused: signs of life that change nothing of the shop.
     */
    audited?: boolean
    /**
     * Served to everybody while the shop is suspended: reports of outsiders, and what people need to sign in. By
     * default only routes with the authentication quota are.
     */
    whileSuspended?: boolean
    /** The response lasts until the client ends it, so its duration is not measured. */
    lasting?: boolean
    /** Its body is long, and the route itself ensures that it keeps arriving. */
    longBody?: boolean
    /** The path of the object that an edit changes, if it differs from the path of the route. */
    edits?: string
    /** The fields of the response that the version of the object covers, if the body of the edit has none of them. */
    versioned?: readonly string[]
    /** Reads the edited object in the transaction of the edit, if its GET handler cannot do so. */
    current?: (tx: Tx, request: FastifyRequest) => Promise<unknown>
    /** Not in the OpenAPI document. */
    hidden?: boolean
    /**
     * Whether the object in the path exists for this caller: an unknown one is a 404 even if the body is wrong too.
     * Routes with an id and a body have one.
     */
    exists?: (request: FastifyRequest) => Promise<unknown>
  }
}

/** The statuses of errors, for the API document. */
export const DESCRIPTIONS: Record<number, string> = {
  400: 'Malformed, or against the schema.',
  401: 'There is no credential, or it is not valid.',
  403: 'The credential does not allow this.',
  404: 'There is no such object for this caller.',
  409: 'The state of the object does not allow this now.',
  410: 'Expired or already used.',
  412: 'The object has changed since the `ETag` of `If-Match`.',
  413: 'The body is too large.',
  415: 'The body has a media type that is not accepted.',
  422: 'A business rule does not allow this.',
  429: 'A rate limit is exceeded.',
  500: 'An unexpected error.',
  502: 'The payment provider or the game panel failed.',
  503: 'The service cannot answer now.',
  504: 'The game panel did not answer in time.',
}

/** Created once: hundreds of routes have some ten of them each. */
const PROBLEMS = new Map(
  Object.entries(DESCRIPTIONS).map(([status, description]) => [
    Number(status),
    Type.Unsafe<never>({ $ref: 'Problem#', description }),
  ]),
)

/** The error responses of a route, for its documentation. Throws for a status without a description. */
export function problems(...statuses: number[]) {
  return Object.fromEntries(statuses.map((status) => [status, problem(status)])) as Record<
    never,
    never
  >
}

function problem(status: number) {
  const known = PROBLEMS.get(status)
  if (!known) throw new Error(`Status ${status} has no description`)
  return known
}
