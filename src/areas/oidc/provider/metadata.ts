import type { AllClientMetadata } from 'oidc-provider'
import type { ClientRow } from '../clients/rules.ts'

/** A placeholder where the library requires a secret; it is never compared with a client's secret. */
const KEPT_AS_HASH = 'kept as its hash'

/** Our own property of a client: whether people need a confirmed address to sign in. */
export const REQUIRE_VERIFIED_EMAIL = 'require_verified_email'

/** A client as the library takes it (RFC 7591): only the code flow, answered in the query. */
export function metadataOf(client: ClientRow): AllClientMetadata {
  const { id, name, type, redirectUris, postLogoutRedirectUris, scopes } = client
  const mayStay = scopes.includes('offline_access')
  return {
    client_id: id,
    client_name: name,
    redirect_uris: redirectUris,
    post_logout_redirect_uris: postLogoutRedirectUris,
    scope: scopes.join(' '),
    [REQUIRE_VERIFIED_EMAIL]: client.requireVerifiedEmail,
    // A native client could choose its port; with `web`, addresses are compared exactly for every client.
    application_type: 'web',
    response_types: ['code'],
    response_modes: ['query'],
    grant_types: mayStay ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
    ...(type === 'public'
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: KEPT_AS_HASH }),
  }
}
