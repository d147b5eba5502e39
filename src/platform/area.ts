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

/** One area of the business: what it provides to the other layers. */
export type Area = {
  readonly name: string
  readonly routes?: readonly Routes[]
  readonly jobs?: readonly Job[]
  readonly permissions?: readonly Permission[]
  /** Typed settings that an administrator may change, per tenant. */
  readonly settings?: readonly SettingsSection[]
  /** Columns of this area with sealed text, to be sealed again with another key. */
  readonly sealed?: readonly SealedColumn[]
  /** What a shop offers its visitors: payment and sign-in methods. */
  readonly meta?: (db: Db, tenantId: string, deps: Deps) => Promise<Offers>
  /** The number of services on each of these panel connections; a connection without services is left out. */
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
  /** Those of these products that exist, including archived ones. */
  readonly productsAmong?: (
    db: Db,
    tenantId: string,
    ids: readonly string[],
  ) => Promise<ReadonlySet<string>>
  /** The number of services that have not ended, for each plan of a product. */
  readonly servicesOf?: (
    db: Db,
    tenantId: string,
    productId: string,
  ) => Promise<readonly { planId: string; count: number }[]>
  /** Those of these products that were ever sold: a service was created from them. */
  readonly soldAmong?: (
    db: Db,
    tenantId: string,
    ids: readonly string[],
  ) => Promise<ReadonlySet<string>>
  /** The ids of customers of these products, ordered by id, after `after`; at most `limit`. */
  readonly customersOf?: (
    db: Db,
    products: { readonly tenantId: string; readonly productIds: readonly string[] },
    part: { readonly after: string | null; readonly limit: number },
  ) => Promise<readonly string[]>
  /** Whether an invitation of this area allows its addressee to open an account. */
  readonly invites?: (deps: Deps, guest: Guest) => Promise<boolean>
  /** Finds the servers on panel connections, for reports of daemons about them. */
  readonly servers?: ServerKeeper
  /** How pro formas of this area are priced again, by their kind (R3.4). */
  readonly requote?: Readonly<Record<string, Requote>>
  /** What this area stores about a person, for the export of their own data. */
  readonly personalData?: PersonalData
  /** Values that are computed when the metrics are read: quickly, over all tenants. */
  readonly measures?: readonly Measure[]
  /** Faults in a tenant's data, a line each; there should never be any. Used by `moorage doctor`. */
  readonly faults?: (db: Db, tenantId: string, files: Files) => AsyncIterable<string>
  /**
   * The purposes for which this area stores personal data (R8.1), by name: `users.profile`. Their texts are with all
   * other texts of each language.
   */
  readonly purposes?: readonly string[]
  /** What happened to a person according to this area, for staff who help them. */
  readonly timeline?: (db: Db, user: UserKey) => readonly Moments[]
  /** What happened to a service, an order or an invoice according to this area. */
  readonly objectTimeline?: (db: Db, object: TimelineObject) => readonly Moments[]
  /** The permissions that staff need to see `timeline` and `objectTimeline`. */
  readonly timelineNeeds?: readonly string[]
  /**
   * Throws 409 for a user who must stay able to sign in: the last owner of a tenant. Called first in a transaction, so
   * that its locks are taken before those of users.
   */
  readonly assertMayLeave?: (tx: Tx, user: UserKey, now: Instant) => Promise<void>
  /**
   * Throws 409 while a person needs a payment method that can be charged. Called when they remove their last one, with
   * their row locked.
   */
  readonly assertMayLoseMethods?: (tx: Tx, user: UserKey, now: Instant) => Promise<void>
  /** Throws 409 while something about a person's account is not settled (R8.2). Called in the order of `erase`. */
  readonly assertSettled?: (tx: Tx, person: Leaving) => Promise<void>
  /**
   * Removes or anonymises what this area stores about a person whose account ends; what the law requires stays (R8.2,
   * R8.3). Called from the last area to the first, in one transaction.
   */
  readonly erase?: (tx: Tx, person: Leaving, now: Instant) => Promise<void>
  /** What is sent to other systems, for the API document. */
  readonly webhooks?: readonly WebhookFacts[]
  /** Creates what must exist before the first request: the default tenant, the system roles. */
  readonly prepare?: (deps: Deps) => Promise<void>
  /** Finds the tenant of a request by its host name. */
  readonly tenantOf?: (deps: Deps) => (host: string) => Promise<HostTenant | null>
  /** Reads the credentials that this area issues. */
  readonly authenticators?: (deps: Deps) => readonly Authenticator[]
  /** What a user may do, from roles and groups. */
  readonly permissionsOf?: (db: Db, user: UserKey) => Promise<ReadonlySet<string>>
  /** Checks what an administrator needs besides their permissions. Throws 403. */
  readonly admits?: (db: Db, caller: Caller) => Promise<void>
  /** The roles of people, by their user id, for display. */
  readonly rolesOf?: (db: Db, people: PeopleKey) => Promise<ReadonlyMap<string, readonly Named[]>>
  /** This area's objects among these ids, with their names, which staff see instead of an id. */
  readonly objectsAmong?: (
    db: Db,
    tenantId: string,
    ids: readonly string[],
  ) => Promise<readonly NamedObject[]>
  /** Writes the audit log of requests. */
  readonly recorder?: (deps: Deps) => RequestRecorder
}

/**
 * Locks what a pro forma was created for and, if it would cost something else today, replaces the pro forma and moves
 * everything to the new one. Null if the price is unchanged. Called before any invoice is locked.
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
 * What to do about open payment pages of a provider for the pro forma: `ask` replaces nothing while one is open,
 * `close` closes them together with the pro forma.
 */
export type Pages = 'ask' | 'close'

/** The invoice to pay instead; null if there is nothing to pay any more. */
export type Requoted = { readonly invoiceId: string | null }

/** The shop of a host name. `closed`: nothing is served; `suspended`: only its staff is served. */
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

/** Finds servers on panel connections. Servers are named by their panel's uuid. */
export type ServerKeeper = {
  /** The panel connection of each of these servers; null if it was deleted. Servers without a service are left out. */
  readonly placesOf: (
    db: Db,
    tenantId: string,
    serverUuids: readonly string[],
  ) => Promise<ReadonlyMap<string, string | null>>
  /** Whether a user whom the panel has authenticated for SFTP may sign in. */
  readonly sftpVerdict: (db: Db, login: SftpLogin) => Promise<'welcome' | 'suspended' | 'refused'>
}

/** A sign-in whose credentials the panel has checked; its user is named by the panel's uuid. */
export type SftpLogin = {
  readonly tenantId: string
  readonly nodeId: string
  readonly serverUuid: string
  readonly panelUser: string
}

/** A number for Prometheus that is computed on request; its name begins with `moorage_`. */
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
  /** Accounts at other services that people can link. */
  readonly connections?: readonly string[]
  /** The currencies in which something is on sale. */
  readonly currencies?: readonly string[]
  /** Whether people can become affiliates. */
  readonly affiliation?: boolean
  /** Whether visitors are asked before a click on an affiliate's link is stored with them. */
  readonly affiliationConsent?: boolean
  /** Whether there are vouchers that customers can redeem. */
  readonly vouchers?: boolean
  /** Who may open an account. */
  readonly registration?: 'open' | 'inviteOnly' | 'closed'
  /** Whether a new account gets no session until its address is confirmed. */
  readonly confirmBeforeSession?: boolean
}

/** A payment method, as a front end needs it. */
export type GatewayOffer = {
  readonly id: string
  readonly name: string
  readonly driver: string
  readonly checkout: 'redirect' | 'instructions'
  readonly icon: 'card' | 'bank' | 'wallet'
  readonly saveMethod: 'setup' | 'with-first-payment' | 'none'
  readonly portal: boolean
  /** Null: every currency. */
  readonly currencies: string[] | null
  /** The smallest amount that it accepts, in the currency of the shop. */
  readonly minimumCents: number
  readonly publishableKey: string | null
}

export type UserKey = { readonly tenantId: string; readonly userId: string }
export type PeopleKey = { readonly tenantId: string; readonly userIds: readonly string[] }
/** An object that has a timeline of its own. */
export type TimelineObject = {
  readonly tenantId: string
  readonly kind: 'service' | 'order' | 'invoice'
  readonly id: string
}

/** An object of an area, with the kind that names its page: `invoice`. */
export type NamedObject = Named & { readonly kind: ObjectKind }
/** The kinds of objects that have a name. */
export const OBJECT_KINDS = [
  ...(['user', 'role', 'group', 'panel', 'egg', 'category', 'product', 'plan', 'coupon'] as const),
  ...(['tax_rate', 'invoice', 'credit_note', 'payment', 'gateway', 'service', 'order'] as const),
  ...(['affiliate', 'oauth_client', 'webhook_endpoint', 'bot_token', 'import'] as const),
  ...(['location', 'option_group', 'option', 'ticket', 'article', 'article_category'] as const),
] as const
export type ObjectKind = (typeof OBJECT_KINDS)[number]

/** The kind as a column of a query, so that objects of several tables are read together. */
export function kindOf(kind: ObjectKind) {
  return sql<ObjectKind>`${sql.lit(kind)}::text`.as('kind')
}
export type Named = { readonly id: string; readonly name: string }

/** A person whose account is about to end. */
export type Leaving = UserKey & {
  readonly name: string
  readonly email: string
  /** Every address that is known to be, or to have been, theirs and nobody else's. */
  readonly emails: readonly string[]
  /** Whether they give up the credit they have left. */
  readonly forfeitCredit: boolean
}

/**
 * A purpose for which personal data is stored, how long, and who else receives it, in words. Articles are those of the
 * GDPR.
 */
export type Purpose = {
  readonly data: string
  readonly purpose: string
  readonly legalBasis: string
  readonly retention: string
  readonly recipients: readonly string[]
}

/** A permission that an administrator may have: `store:read`. */
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

/** Who a credential identifies. The permissions of people are added by the access hook. */
export type Identity = Omit<Caller, 'permissions'> & {
  /** The permissions of a credential that belongs to no user: the scopes of a bot. */
  readonly scopes?: ReadonlySet<string>
}

/** Reads one kind of credential. */
export type Authenticator = {
  /** Whether a token has the format of this kind. */
  accepts(token: string): boolean
  /** The identity of the token; null if it is unknown, expired or revoked. */
  identify(
    db: Db,
    token: string,
    request: { tenantId: string; address: string; now: Instant },
  ): Promise<Identity | null>
}

/** Writes the audit log: an entry is written in the transaction of the change that it describes. */
export type RequestRecorder = {
  /** Called inside the first transaction of a request. */
  began(tx: Tx, request: RecordedRequest): Promise<void>
  /** Called at the end of that transaction if the request edited an object, with the changes. */
  edited(tx: Tx, request: RecordedRequest, changes: readonly Change[]): Promise<void>
  /** Whether a request that changed nothing is recorded nevertheless. */
  wants(request: JudgedRequest, statusCode: number): boolean
  /** Called when the response is known, for requests that `began` and for those that are wanted. */
  ended(request: RecordedRequest, statusCode: number, began: boolean): Promise<void>
}

/** The facts that decide whether a request is recorded. */
export type JudgedRequest = Pick<RecordedRequest, 'method' | 'route' | 'caller' | 'audited'>

export type RecordedRequest = RequestFacts & {
  /** A new id for every request, used as the id of its entry. */
  readonly entryId: string
  /** Whether a read is recorded too: everything that an administrator views, also while acting as another person. */
  readonly audited: boolean
  /** The user of a request without a caller, once they are known. */
  readonly provenId: string | null
  readonly method: string
  readonly route: string
  readonly address: string
  /** The id in the path, if there is one. */
  readonly objectId: string | null
}
