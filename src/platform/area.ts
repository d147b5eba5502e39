import { sql } from 'kysely'
import type { TObject } from 'typebox'
import type { Caller } from '#lib/caller.ts'
import type { Instant } from '#lib/time.ts'
import type { Db, Tx } from './database/index.ts'
import type { Deps, RequestFacts } from './deps.ts'
import type { Files } from './files/index.ts'
import type { Change } from './http/differences.ts'
import type { Routes } from './http/index.ts'
import type { Job } from './jobs.ts'
import type { SealedColumn } from './resealing.ts'
import type { Moments } from './timeline.ts'

/** One area of the business: what it shows the floors around it. */
export type Area = {
  readonly name: string
  readonly routes?: readonly Routes[]
  readonly jobs?: readonly Job[]
  readonly permissions?: readonly Permission[]
  /** Typed settings that an administrator may change, per tenant. */
  readonly settings?: readonly SettingsSection[]
  /** Columns of this area that hold sealed text, to be sealed anew under another key. */
  readonly sealed?: readonly SealedColumn[]
  /** What a shop offers its visitors: ways to pay, ways to sign in. */
  readonly meta?: (db: Db, tenantId: string, deps: Deps) => Promise<Offers>
  /** How many services stand on each of these panel connections; one without any is left out. */
  readonly servicesOn?: (
    db: Db,
    tenantId: string,
    nodeIds: readonly string[],
  ) => Promise<ReadonlyMap<string, number>>
  /**
   * Called at the end of a transaction that changed a tenant's panel connections or eggs, for what
   * depends on them.
   */
  readonly panelsChanged?: (tx: Tx, tenantId: string, now: Instant) => Promise<void>
  /** Which of these products there are, archived ones too. */
  readonly productsAmong?: (
    db: Db,
    tenantId: string,
    ids: readonly string[],
  ) => Promise<ReadonlySet<string>>
  /** How many services that have not ended have each plan of a product. */
  readonly servicesOf?: (
    db: Db,
    tenantId: string,
    productId: string,
  ) => Promise<readonly { planId: string; count: number }[]>
  /** Which of these products were ever sold: a service was created of them. */
  readonly soldAmong?: (
    db: Db,
    tenantId: string,
    ids: readonly string[],
  ) => Promise<ReadonlySet<string>>
  /** Who has something of these products, by their ids in order, after one of them; so many at most. */
  readonly customersOf?: (
    db: Db,
    products: { readonly tenantId: string; readonly productIds: readonly string[] },
    part: { readonly after: string | null; readonly limit: number },
  ) => Promise<readonly string[]>
  /** Whether an invitation of this area lets its addressee open an account. */
  readonly invites?: (deps: Deps, guest: Guest) => Promise<boolean>
  /** Knows the servers that stand on panel connections, for what daemons say of them. */
  readonly servers?: ServerKeeper
  /** How pro formas that this area opened are priced again, by their kind (R3.4). */
  readonly requote?: Readonly<Record<string, Requote>>
  /** What this area keeps about a person, for the export of their own data. */
  readonly personalData?: PersonalData
  /** What is looked up when the metrics are read: quickly, over all tenants. */
  readonly measures?: readonly Measure[]
  /** What is broken in a tenant's data, a line each: nothing, ever. Asked by `moorage doctor`. */
  readonly faults?: (db: Db, tenantId: string, files: Files) => AsyncIterable<string>
  /**
   * Why this area keeps what it keeps about people (R8.1), by name: `users.profile`. The texts of each
   * language stand together, with everything else that people read.
   */
  readonly purposes?: readonly string[]
  /** What happened to a person as far as this area knows, for those who help them. */
  readonly timeline?: (db: Db, user: UserKey) => readonly Moments[]
  /** The permissions without which staff do not see `timeline`. */
  readonly timelineNeeds?: readonly string[]
  /**
   * Throws 409 for somebody who must stay able to sign in: the last owner of a tenant. Called first
   * in a transaction, so that what it locks is locked before any person is.
   */
  readonly assertMayLeave?: (tx: Tx, user: UserKey, now: Instant) => Promise<void>
  /** Throws 409 while something of a person's account is not settled (R8.2). In the order of `erase`. */
  readonly assertSettled?: (tx: Tx, person: Leaving) => Promise<void>
  /**
   * Removes what this area keeps about a person whose account ends, or makes it anonymous; what the
   * law wants kept stays (R8.2, R8.3). Called from the last area to the first, in one transaction.
   */
  readonly erase?: (tx: Tx, person: Leaving, now: Instant) => Promise<void>
  /** What is sent to other systems, for the API document. */
  readonly webhooks?: readonly WebhookFacts[]
  /** What must be there before the first request: the default tenant, the system roles. */
  readonly prepare?: (deps: Deps) => Promise<void>
  /** Finds the tenant of a request by the host name it came to. */
  readonly tenantOf?: (deps: Deps) => (host: string) => Promise<HostTenant | null>
  /** Reads the credentials this area hands out. */
  readonly authenticators?: (deps: Deps) => readonly Authenticator[]
  /** What a user may do, from roles and groups. */
  readonly permissionsOf?: (db: Db, user: UserKey) => Promise<ReadonlySet<string>>
  /** What an administrator has to show beside their permissions. Throws 403. */
  readonly admits?: (db: Db, caller: Caller) => Promise<void>
  /** The roles that people hold, by their user id, for showing them. */
  readonly rolesOf?: (db: Db, people: PeopleKey) => Promise<ReadonlyMap<string, readonly Named[]>>
  /** This area's objects among these ids, with their names: what staff see in place of an id. */
  readonly objectsAmong?: (
    db: Db,
    tenantId: string,
    ids: readonly string[],
  ) => Promise<readonly NamedObject[]>
  /** Writes the audit log of requests. */
  readonly recorder?: (deps: Deps) => RequestRecorder
}

/**
 * Locks what a pro forma was made for and, where it would cost something else today, puts a new one in
 * its place and moves everything over. Null while the price holds. Called before any invoice is locked.
 */
export type Requote = (
  tx: Tx,
  quote: {
    readonly tenantId: string
    readonly invoiceId: string
    readonly reference: string | null
    readonly pages: Pages
  },
  now: Instant,
) => Promise<Requoted | null>

/**
 * What becomes of pages on which the pro forma could be paid at a provider: `ask` replaces nothing as
 * long as one is open, `close` leaves them to be closed with it.
 */
export type Pages = 'ask' | 'close'

/** The invoice to pay instead; null where there is nothing to pay any more. */
export type Requoted = { readonly invoiceId: string | null }

/** Whose shop a host name is. `closed`: nothing is served; `suspended`: only to those who run it. */
export type HostTenant = {
  readonly id: string
  readonly suspended: boolean
  readonly closed: boolean
}

/** A person who wants to open an account with an invitation. */
export type Guest = {
  readonly db: Db
  readonly tenantId: string
  readonly invitationToken: string
  readonly email: string
  readonly now: Instant
}

/** Who knows what stands on panel connections. Servers are named by their panel's uuid. */
export type ServerKeeper = {
  /**
   * The panel connection each of these servers stands on; null where that was deleted. Those that are
   * nobody's service are left out.
   */
  readonly placesOf: (
    db: Db,
    tenantId: string,
    serverUuids: readonly string[],
  ) => Promise<ReadonlyMap<string, string | null>>
  /** Whether somebody whom the panel has let in by SFTP may come in. */
  readonly sftpVerdict: (db: Db, login: SftpLogin) => Promise<'welcome' | 'suspended' | 'refused'>
}

/** A sign-in that the panel has found right; its user is named by the panel's uuid. */
export type SftpLogin = {
  readonly tenantId: string
  readonly nodeId: string
  readonly serverUuid: string
  readonly panelUser: string
}

/** A number for Prometheus that is looked up when it is asked for; its name begins with `moorage_`. */
export type Measure = {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
  readonly read: (db: Db, now: Instant) => Promise<readonly Measured[]>
}

export type Measured = { readonly labels?: Record<string, string>; readonly value: number }

/** One kind of message to other systems: its name, and the schema of its body. */
export type WebhookFacts = {
  readonly type: string
  readonly description: string
  readonly body: TObject
}

/** What a shop offers its visitors. */
export type Offers = {
  readonly gateways?: readonly GatewayOffer[]
  /** Whether payments are simulated. */
  readonly testMode?: boolean
  readonly signInMethods?: readonly string[]
  /** Accounts elsewhere that people can link. */
  readonly connections?: readonly string[]
  /** In which currencies something is on sale. */
  readonly currencies?: readonly string[]
  /** Whether people can enrol to bring customers. */
  readonly affiliation?: boolean
  /** Whether visitors are asked before a click on the link of an affiliate is stored with them. */
  readonly affiliationConsent?: boolean
  /** Who may open an account. */
  readonly registration?: 'open' | 'inviteOnly' | 'closed'
}

/** A way to pay, as a front end has to know it. */
export type GatewayOffer = {
  readonly id: string
  readonly name: string
  readonly driver: string
  readonly checkout: 'redirect' | 'instructions'
  readonly saveMethod: 'setup' | 'with-first-payment' | 'none'
  readonly portal: boolean
  /** Null: every currency. */
  readonly currencies: string[] | null
  /** The least amount it takes, in the currency of the shop. */
  readonly minimumCents: number
  readonly publishableKey: string | null
}

export type UserKey = { readonly tenantId: string; readonly userId: string }
export type PeopleKey = { readonly tenantId: string; readonly userIds: readonly string[] }
/** An object of an area by the kind of its page: `invoice`. */
export type NamedObject = Named & { readonly kind: ObjectKind }
/** The kinds of objects that have a name. */
export const OBJECT_KINDS = [
  ...(['user', 'role', 'group', 'panel', 'egg', 'category', 'product', 'plan', 'coupon'] as const),
  ...(['tax_rate', 'invoice', 'credit_note', 'payment', 'gateway', 'service', 'order'] as const),
  ...(['affiliate', 'oauth_client', 'webhook_endpoint', 'bot_token', 'import'] as const),
  ...(['location'] as const),
] as const
export type ObjectKind = (typeof OBJECT_KINDS)[number]

/** The kind as a column of a query, so that the objects of several tables are read at once. */
export function kindOf(kind: ObjectKind) {
  return sql<ObjectKind>`${sql.lit(kind)}::text`.as('kind')
}
export type Named = { readonly id: string; readonly name: string }

/** Somebody whose account is about to end. */
export type Leaving = UserKey & {
  readonly name: string
  readonly email: string
  /** Every address we know to be, or to have been, theirs and nobody else's. */
  readonly emails: readonly string[]
  /** Whether they give up the credit they have left. */
  readonly forfeitCredit: boolean
}

/** One purpose that personal data is kept for, how long, and who else gets it, in words. Articles are those of the GDPR. */
export type Purpose = {
  readonly data: string
  readonly purpose: string
  readonly legalBasis: string
  readonly retention: string
  readonly recipients: readonly string[]
}

/** A permission an administrator may hold: `store:read`. */
export type Permission = { readonly key: string; readonly description: string }

/** A group of typed settings. Every property of the schema has a default. */
export type SettingsSection<S extends TObject = TObject> = {
  readonly name: string
  readonly schema: S
}

/** One part of a person's export: a name, and rows in a bounded stream. */
export type PersonalData = (
  db: Db,
  user: UserKey,
) => Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>

/** What a credential stands for. The permissions of people are added by the access hook. */
export type Identity = Omit<Caller, 'permissions'> & {
  /** What a credential that is nobody's may do: the scopes of a bot. */
  readonly scopes?: ReadonlySet<string>
}

/** Reads one kind of credential. */
export type Authenticator = {
  /** Whether a token has this kind's form. */
  accepts(token: string): boolean
  /** Who the token stands for; null when it is unknown, expired or revoked. */
  identify(
    db: Db,
    token: string,
    request: { tenantId: string; address: string; now: Instant },
  ): Promise<Identity | null>
}

/** Keeps the audit log: an entry stands in the transaction of the change it tells of. */
export type RequestRecorder = {
  /** Called inside the first transaction of a request. */
  began(tx: Tx, request: RecordedRequest): Promise<void>
  /** Called at the end of that transaction, if the request edited an object: with what it changed. */
  edited(tx: Tx, request: RecordedRequest, changes: readonly Change[]): Promise<void>
  /** Whether a request that changed nothing is worth an entry all the same. */
  wants(request: JudgedRequest, statusCode: number): boolean
  /** Called when the answer is known, for requests that `began` and for those that are wanted. */
  ended(request: RecordedRequest, statusCode: number, began: boolean): Promise<void>
}

/** What says whether a request is worth an entry. */
export type JudgedRequest = Pick<RecordedRequest, 'method' | 'route' | 'caller' | 'audited'>

export type RecordedRequest = RequestFacts & {
  /** A new id for every request: the one of its entry. */
  readonly entryId: string
  /** A read that gets an entry too: everything an administrator looks at, as somebody else too. */
  readonly audited: boolean
  /** Who a request without a caller turned out to be, once that is known. */
  readonly provenId: string | null
  readonly method: string
  readonly route: string
  readonly address: string
  /** The id in the path, if there is one. */
  readonly objectId: string | null
}
