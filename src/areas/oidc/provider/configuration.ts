import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import { LOCALES } from '#lib/languages.ts'
import type { Deps } from '#platform/deps.ts'
import { openKey } from '../keys/actions.ts'
import type { SigningKeyRow } from '../keys/queries.ts'
import { errorPage, logoutPage, signedOutPage } from '../pages/pages.ts'
import { accountOf, CLAIMS } from './account.ts'
import { adapterOf } from './adapter.ts'
import { BASE } from './issuer.ts'
import { TTL } from './lifetimes.ts'
import { REQUIRE_VERIFIED_EMAIL } from './metadata.ts'
import { settingOf, showPage } from './pages.ts'
import { signInPolicy } from './policy.ts'

/** The paths of the provider's endpoints. */
const PATHS = {
  authorization: '/auth',
  token: '/token',
  userinfo: '/userinfo',
  jwks: '/jwks',
  introspection: '/introspection',
  revocation: '/revocation',
  end_session: '/logout',
}

const COOKIE = { httpOnly: true, sameSite: 'lax', signed: true } as const

/**
 * The library's configuration for a tenant: the code flow with PKCE (S256) for every client, refresh
 * tokens that are replaced at each use, and none of its other features.
 */
export function configurationFor(
  deps: Deps,
  tenantId: string,
  keys: readonly SigningKeyRow[],
): Configuration {
  const db = deps.database.of(tenantId)
  return {
    adapter: adapterOf({ ...deps, tenantId }),
    jwks: { keys: keys.map((key) => openKey(deps, key)) },
    routes: PATHS,
    claims: CLAIMS,
    // Clients such as the one for Pelican panels read the address from the ID token only (decision 181).
    conformIdTokenClaims: false,
    extraClientMetadata: { properties: [REQUIRE_VERIFIED_EMAIL] },
    scopes: ['openid', 'offline_access'],
    responseTypes: ['code'],
    subjectTypes: ['public'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    ttl: TTL,
    pkce: { required: () => true },
    rotateRefreshToken: true,
    allowOmittingSingleRegisteredRedirectUri: false,
    clientBasedCORS: () => true,
    discovery: { ui_locales_supported: [...LOCALES] },
    cookies: {
      keys: deps.secrets.keysFor('oidc-cookies').map(({ key }) => key.toString('base64url')),
      names: {
        session: 'moorage_oidc',
        interaction: 'moorage_oidc_sign_in',
        resume: 'moorage_oidc_resume',
      },
      long: { ...COOKIE, path: BASE },
      short: COOKIE,
    },
    features: featuresFor(deps, tenantId),
    interactions: {
      policy: signInPolicy(db, tenantId),
      url: (_ctx, { uid }) => `${BASE}/interaction/${uid}`,
    },
    findAccount: (_ctx, userId) => accountOf(db, { tenantId, userId }),
    async renderError(ctx, out) {
      if (ctx.accepts('json', 'html') === 'html') {
        return showPage(ctx, errorPage(await settingOf(db, tenantId, ctx), out))
      }
      ctx.body = out
    },
  }
}

function featuresFor({ database }: Deps, tenantId: string): NonNullable<Configuration['features']> {
  const db = database.of(tenantId)
  const setting = (ctx: KoaContextWithOIDC) => settingOf(db, tenantId, ctx)
  return {
    devInteractions: { enabled: false },
    dPoP: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    resourceIndicators: { enabled: false },
    // A client can introspect only its own tokens.
    introspection: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) =>
        client.clientAuthMethod !== 'none' && token.clientId === client.clientId,
    },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    rpInitiatedLogout: {
      enabled: true,
      async logoutSource(ctx) {
        showPage(ctx, logoutPage(await setting(ctx), logoutOf(ctx)))
      },
      async postLogoutSuccessSource(ctx) {
        showPage(ctx, signedOutPage(await setting(ctx)))
      },
    },
  }
}

/** What the form of a logout sends, and where its answer may redirect to. */
export function logoutOf(ctx: KoaContextWithOIDC) {
  const { secret = '', postLogoutRedirectUri } = ctx.oidc.session?.state ?? {}
  return {
    action: ctx.oidc.urlFor('end_session_confirm'),
    token: String(secret),
    leadsTo: typeof postLogoutRedirectUri === 'string' ? [postLogoutRedirectUri] : [],
  }
}
