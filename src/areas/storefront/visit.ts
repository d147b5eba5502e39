import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { simulatesPayments } from '#billing'
import { hasStatus } from '#incidents'
import { hasHelp } from '#knowledge'
import { isCountry } from '#lib/country.ts'
import { LOCALES } from '#lib/languages.ts'
import { type Instant, secondsBetween } from '#lib/time.ts'
import type { Deps } from '#platform/deps.ts'
import type { App } from '#platform/http/index.ts'
import { callApi, type InnerCall } from '#platform/http/inner.ts'
import { sendFile } from '#platform/http/request.ts'
import { compress, type Encoding, encodingFor } from '#platform/pages/compression.ts'
import { readCookie, writeCookie } from '#platform/pages/cookies.ts'
import type { PageDocument, PageLook } from '#platform/pages/document.ts'
import { localeOf } from '#platform/pages/locale.ts'
import { countCartUnits } from '#store'
import {
  type BrandLink,
  brandLinksOf,
  brandOf,
  findLegalVersions,
  type LegalKind,
  lookOf,
  originOf,
  sellerOf,
} from '#tenants'
import { localesOf, type PageSession, pageSessions } from '#users'
import { openSelection, type Selection, sealSelection } from './selection.ts'
import { type Texts, textsOf } from './texts/index.ts'

/** One request for a page: the shop, the language, the person. */
export type Visit = {
  readonly look: PageLook
  readonly texts: Texts
  readonly session: PageSession | null
  readonly selection: Selection
  /** How many units an account's cart contains; null for a visitor, who has a selection. */
  readonly cartUnits: number | null
  /** Identifies this selection in its present state: a form that is sent twice moves it once. */
  readonly selectionKey: string
  /** The address of the page without a language, for the link to the other one. */
  readonly path: string
  /** The origin of the shop, for absolute URLs. */
  readonly origin: string
  /** The country that a visitor chose; null without a choice. */
  readonly country: string | null
  /** The country that prices are shown for, and whether they contain its VAT. */
  readonly pricing: { readonly country: string; readonly taxed: boolean }
  /** The newest version of each legal text that the shop has published. */
  readonly legalVersions: ReadonlyMap<LegalKind, number>
  readonly currency: string
  readonly legalFooter: string | null
  /** The address of the support, for every page; null without one. */
  readonly supportAddress: string | null
  /** The address for customers to write to: the support, else the seller; null if neither is entered. */
  readonly contactAddress: string | null
  /** Links of the shop in the footer. */
  readonly links: readonly BrandLink[]
  /** Whether payments are simulated. */
  readonly testMode: boolean
  /** Whether there are help articles that the person can read. */
  readonly hasHelp: boolean
  /** Whether the shop has ever published an incident or maintenance. */
  readonly hasStatus: boolean
  /** The code of the affiliate link that was opened, if the visitor is to be asked before it is stored. */
  readonly referral: string | null
  readonly now: Instant
  /** Calls the API as the person who views the page. Throws `Refusal` for every unsuccessful response. */
  call<T>(method: InnerCall['method'], path: string, more?: Partial<InnerCall>): Promise<T>
}

/** An unsuccessful response of the API. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly details: readonly { path: string; message: string }[]
  /** What would be accepted instead, by its slug. */
  readonly alternatives: readonly string[]

  constructor(status: number, body: unknown) {
    const { message, code, details, alternatives } = (body ?? {}) as Partial<Refusal>
    super(message ?? `The API answered ${status}.`)
    this.status = status
    this.code = code ?? ''
    this.details = details ?? []
    this.alternatives = alternatives ?? []
  }
}

/** The refusal of a call to the API; null if it succeeded. A fault of the service is rethrown. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal | null> {
  try {
    await call
    return null
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return error
    throw error
  }
}

export type Visits = (request: FastifyRequest, reply: FastifyReply) => Promise<Visit>

/** Creates the visit from a request for a page. `?lang=` is remembered, and so is `?country=`. */
export function visitsOf(app: App, deps: Deps): Visits {
  const sessionOf = pageSessions(deps)
  return async (request, reply) => {
    const { db, tenantId, now } = request
    const query = request.query as Record<string, unknown>
    const refreshToken = readCookie(request, 'session')
    const [brand, seller, session, origin, legalVersions, testMode] = await Promise.all([
      brandOf(db, tenantId),
      sellerOf(db, tenantId),
      refreshToken ? sessionOf(db, { tenantId, refreshToken }, now) : null,
      originOf(db, deps.config, tenantId),
      findLegalVersions(db, tenantId),
      simulatesPayments(db, tenantId),
    ])
    const [helps, showsStatus] = await Promise.all([
      hasHelp(db, { tenantId, audiences: session ? ['public', 'customers'] : ['public'] }),
      hasStatus(db, tenantId),
    ])
    const cartUnits = session
      ? await countCartUnits(db, { tenantId, userId: session.userId })
      : null
    const asked = query.lang ?? readCookie(request, 'locale')
    // First the language chosen in this browser, then that of the account, then the browser's own (decision 212).
    const own = session && !asked ? await localesOf(db, tenantId, [session.userId]) : null
    const locale = localeOf({
      asked: asked ?? own?.get(session?.userId ?? ''),
      ...{ header: request.headers['accept-language'], fallback: brand.locale ?? 'en' },
      spoken: LOCALES,
    })
    if (query.lang === locale) writeCookie(request, reply, 'locale', locale)
    const country = countryIn(query.country) ?? countryIn(readCookie(request, 'country'))
    if (countryIn(query.country)) writeCookie(request, reply, 'country', country ?? '')
    const texts = textsOf(locale)
    const cookie = readCookie(request, 'selection')
    const call = async <T>(
      method: InnerCall['method'],
      path: string,
      more: Partial<InnerCall> = {},
    ): Promise<T> => {
      const token = session?.accessToken ?? null
      const inner = { token, language: locale, ...more, method, path }
      const { status, body } = await callApi(app, request, inner)
      if (status >= 300) throw new Refusal(status, body)
      return body as T
    }
    const code = session === null && typeof query.ref === 'string' ? query.ref : null
    const asks = code !== null && (await recordReferral(call, { request, reply }, { code }))
    return {
      look: lookOf(brand, locale),
      ...{ texts, session, cartUnits, country, now, call, origin },
      ...{ legalVersions, testMode, hasHelp: helps, hasStatus: showsStatus },
      pricing: {
        country: country ?? seller.country,
        taxed: seller.taxStatus === 'registered',
      },
      selection: openSelection(deps.secrets, tenantId, cookie),
      selectionKey: hash('sha256', cookie ?? '', 'base64url'),
      path: request.url.split('?')[0] ?? '/',
      currency: seller.currency,
      legalFooter: brand.legalFooter ?? null,
      supportAddress: brand.supportAddress ?? null,
      contactAddress: brand.supportAddress ?? seller.email,
      links: brandLinksOf(brand),
      referral: asks ? code : null,
    }
  }
}

export type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** Whether the visitor is asked, by request: an error page handles the same request again. */
const recorded = new WeakMap<FastifyRequest, boolean>()

/** The reference of an earlier click on an affiliate link; null without one. */
export function visitorTokenIn(request: FastifyRequest): string | null {
  const token = readCookie(request, 'visitor')
  return token !== null && /^[A-Za-z0-9_-]{43}$/.test(token) ? token : null
}

/**
 * Records a click on an affiliate link, and stores its reference for as long as the click is valid. An unknown code
 * gets the same response as a known one. Without affiliates, in a suspended shop and if the click is refused,
 * no cookie is set, and the page is shown as usual. Returns whether the visitor has to be asked first: if so,
 * nothing is recorded.
 */
export async function recordReferral(
  call: Visit['call'],
  { request, reply }: Exchange,
  { code, hasConsent = false }: { readonly code: string; readonly hasConsent?: boolean },
): Promise<boolean> {
  if (request.scope.suspended) return false
  const asked = recorded.get(request)
  if (asked !== undefined) return asked
  recorded.set(request, false)
  const earlier = visitorTokenIn(request)
  const body = { code, ...(earlier !== null && { visitorToken: earlier }) }
  try {
    const { features } = await call<Offered>('GET', '/v1/meta')
    if (!features.affiliation) return false
    if (features.affiliationConsent && !hasConsent) {
      recorded.set(request, true)
      return true
    }
    const { visitorToken, expiresAt } = await call<Click>('POST', VISITS, { body })
    const seconds = secondsBetween(request.now, expiresAt)
    writeCookie(request, reply, 'visitor', visitorToken, seconds)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
  return false
}

const VISITS = '/v1/affiliation/visits'
type Offered = { features: { affiliation: boolean; affiliationConsent: boolean } }
type Click = { visitorToken: string; expiresAt: Instant }

/** Stores a selection in the visitor's cookie. Returns false if it is too large for one. */
export function storeSelection(
  { secrets }: Pick<Deps, 'secrets'>,
  { request, reply }: Exchange,
  selection: Selection,
): boolean {
  const sealed = sealSelection(secrets, request.tenantId, selection)
  if (sealed === null) return false
  writeCookie(request, reply, 'selection', sealed)
  return true
}

/** Sends a page, compressed as its browser accepts it. */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: PageDocument,
): Promise<FastifyReply> {
  const encoding = encodingFor(request.headers['accept-encoding'])
  return sendEncoded(reply, page.headers, { bytes: await encoded(page, encoding), encoding })
}

/** The bytes of a page in an encoding. */
export async function encoded({ html }: PageDocument, encoding: Encoding | null): Promise<Buffer> {
  const content = Buffer.from(html)
  return encoding ? compress(content, encoding) : content
}

/** Sends the bytes of a page. */
export function sendEncoded(
  reply: FastifyReply,
  headers: PageDocument['headers'],
  { bytes, encoding }: { readonly bytes: Buffer; readonly encoding: Encoding | null },
): FastifyReply {
  reply.headers({ ...headers, vary: 'accept-encoding, accept-language, cookie' })
  if (encoding) reply.header('content-encoding', encoding)
  return sendFile(reply, 'text/html; charset=utf-8', bytes)
}

/** A path within the shop to continue at after a form: never one of another site. */
export function ownPath(wanted: unknown, fallback: string): string {
  return typeof wanted === 'string' && /^\/(?![/\\])[\x21-\x7e]{0,500}$/.test(wanted)
    ? wanted
    : fallback
}

/** The country that a browser sent; null if it is not a country. */
export function countryIn(value: unknown): string | null {
  return typeof value === 'string' && isCountry(value) ? value : null
}
