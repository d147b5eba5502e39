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

/** What the hooks found out about a request before its handler runs. */
export type RequestScope = {
  tenantId: string
  /** Whether the tenant's shop is suspended: served only to those who run it. */
  suspended: boolean
  caller: Caller | null
  now: Instant
  startedMs: number
  db: Db
  /** Which counter this caller's general quota is. */
  generalKey: string
  /** Who signed in by this request, or proved by a link who they are; nobody called before that. */
  provenId: string | null
  /** Whether a transaction of this request was committed. */
  changed: boolean
  idempotency: { requestHash: Buffer; key: string } | null
  /** The id of this request's entry in the audit log, once it has one. */
  entryId: string | null
  /** The entries of objects that a request changed one by one; they are completed with the answer. */
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
    /** Who calls. Only on routes that are not public. */
    readonly caller: Caller
    /** Who calls, on a public route that also serves people who are signed in. */
    readonly visitor: Caller | null
    readonly tenantId: string
    /** The rows of the request's tenant, for reading. */
    readonly db: Db
    /** The moment this request began. */
    readonly now: Instant
    /** Runs `work` in one transaction, with the audit entry and the idempotency key in it. */
    readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
    /** As `transact`, with an audit entry of its own for the object: for changes of several objects. */
    readonly transactOn: <T>(objectId: string, work: (tx: Tx) => Promise<T>) => Promise<T>
    /** Counts a failed guess against the authentication quota. Throws 429 when it is used up. */
    readonly spendAuthQuota: () => Promise<void>
  }
  interface FastifyContextConfig {
    access?: Access
    /** The permission an admin route wants, `store:write`, or the scope that a bot's does. */
    permission?: string
    /** Open to every member of staff: parts without the required permission are left out of the answer. */
    anyStaff?: boolean
    /** `auth`: counted against the authentication quota as well. */
    quota?: 'auth'
    /** Not counted against the general quota: who calls here never retries a 429. */
    uncounted?: boolean
    /**
     * Tells of this process, not of a shop: answered to nobody in particular while the database cannot
     * say whose shop is asked.
     */
    ofProcess?: boolean
    /** The credential that the route reads itself; it is public to everybody else. */
    credential?: 'metrics' | 'oidc' | 'oauthClient' | 'provider' | 'delivery'
    /** Others add query parameters of their own: return addresses, webhooks, OpenID Connect. */
    openQuery?: boolean
    /** The answer holds a secret or a bearer link, and is never kept for a replay. */
    secretAnswer?: boolean
    /**
     * Whether an administrator who acts as the caller may call it. Refused unless a route says so:
     * never where it shows or changes how somebody signs in or pays, or what they agreed to.
     */
    impersonation?: 'allowed'
    /** A read that gets an entry in the audit log; those of administrators always do. */
    audited?: boolean
    /**
     * Served to everybody while the shop is suspended: what outsiders report, and what people need
     * to sign in. Without it those with the authentication quota are, and no others.
     */
    whileSuspended?: boolean
    /** The answer goes on until somebody ends it: how long it took says nothing. */
    lasting?: boolean
    /** Its body is long, and the route itself sees to it that it does not stop coming. */
    longBody?: boolean
    /** The path of the object that an edit changes, if it differs from the path of the route. */
    edits?: string
    /** The fields of the answer that the version of the object covers, if the body of the edit names none of them. */
    versioned?: readonly string[]
    /** Reads the edited object in the transaction of the edit, if its GET handler cannot do so. */
    current?: (tx: Tx, request: FastifyRequest) => Promise<unknown>
    /** Not in the OpenAPI document. */
    hidden?: boolean
    /**
     * Whether the object in the path exists for this caller: an unknown one is a 404 even when the
     * body is wrong too. Routes with an id and a body have one.
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

/** Made once: hundreds of routes have some ten of them each. */
const PROBLEMS = new Map(
  Object.entries(DESCRIPTIONS).map(([status, description]) => [
    Number(status),
    Type.Unsafe<never>({ $ref: 'Problem#', description }),
  ]),
)

/** The error answers of a route, for its documentation. Throws for a status that is not described here. */
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
