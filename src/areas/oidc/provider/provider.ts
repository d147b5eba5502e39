import type { IncomingMessage } from 'node:http'
import Provider, { type KoaContextWithOIDC } from 'oidc-provider'
import type { Deps } from '#platform/deps.ts'
import { verifyClientSecret } from '../clients/secret.ts'
import type { publishedKeysOf } from '../keys/actions.ts'
import { proceedPage } from '../pages/pages.ts'
import { configurationFor, logoutOf } from './configuration.ts'
import { settingOf, showPage } from './pages.ts'

/** The result of a request that the library handled: its answer, or an error. */
export type Outcome = { ctx: KoaContextWithOIDC } | { fault: unknown }

/** The library, set up for one tenant and issuer. */
export type TenantProvider = {
  readonly provider: Provider
  readonly handle: ReturnType<Provider['callback']>
  readonly outcomes: WeakMap<IncomingMessage, Outcome>
}

/** Overrides for the discovery document where the library announces more than we support. */
const NARROWED = { response_modes_supported: ['query'] }

/** The tenant and issuer of a provider, and its signing keys. */
export type Wanted = {
  tenantId: string
  issuer: string
  keys: Awaited<ReturnType<typeof publishedKeysOf>>
}

/** Sets the library up for one tenant and issuer. */
export function makeProvider(deps: Deps, { tenantId, issuer, keys }: Wanted): TenantProvider {
  const provider = new Provider(issuer, configurationFor(deps, tenantId, keys))
  believeIssuer(provider, issuer)
  compareHashes(provider, deps, tenantId)
  const outcomes = new WeakMap<IncomingMessage, Outcome>()
  provider.on('server_error', ({ req }, fault) => outcomes.set(req, { fault }))
  provider.use(async (context, next) => {
    const ctx = context as KoaContextWithOIDC
    // The answer is sent by the service's own server, with everything its answers have.
    ctx.respond = false
    try {
      await next()
      if (ctx.oidc.route === 'discovery') Object.assign(ctx.body as object, NARROWED)
      await replaceScriptedForm(deps, tenantId, ctx)
      if (!outcomes.has(ctx.req)) outcomes.set(ctx.req, { ctx })
    } catch (fault) {
      outcomes.set(ctx.req, { fault })
    }
  })
  return { provider, handle: provider.callback(), outcomes }
}

/** URLs in answers are built from the issuer's name, never from a request's host header. */
function believeIssuer(provider: Provider, issuer: string): void {
  const { protocol, host } = new URL(issuer)
  Object.defineProperties(provider.request, {
    protocol: { get: () => protocol.slice(0, -1) },
    host: { get: () => host },
  })
}

/** Client secrets are stored as hashes, two of them during the overlap of a rotation. */
function compareHashes(provider: Provider, { database, clock }: Deps, tenantId: string): void {
  const { prototype } = provider.Client
  prototype.compareClientSecret = function compareClientSecret(secret) {
    const presented = { tenantId, clientId: this.clientId, secret, now: clock.now() }
    return verifyClientSecret(database.of(tenantId), presented)
  }
}

/**
 * Replaces the forms that the library would submit by script with a page with a button: at a logout when
 * nobody is signed in, and when another person signed in instead.
 */
async function replaceScriptedForm(
  { database }: Deps,
  tenantId: string,
  ctx: KoaContextWithOIDC,
): Promise<void> {
  const { route } = ctx.oidc
  const isForm = ctx.status === 200 && !ctx.state.page
  if (!isForm || (route !== 'end_session' && route !== 'resume')) return
  const setting = await settingOf(database.of(tenantId), tenantId, ctx)
  const { leadsTo, ...logout } = logoutOf(ctx)
  const ends = [ctx.oidc.entities.Interaction?.params.redirect_uri].filter(
    (it) => typeof it === 'string',
  )
  const page = { ...logout, leadsTo: [...leadsTo, ...ends] }
  showPage(ctx, proceedPage(setting, page, route === 'resume'))
}
